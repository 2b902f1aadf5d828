import { BACKUP_META } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { lastStoredAmong } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { Entry } from '@kopsctl/state-store/store.ts';
import { CREATED } from '../store/layout.ts';

/**
 * Whether no backup of an etcd cluster was stored for this long: the machine that led may have been lost when one was due. Without
 * any backup, the time counts from when the cluster was formed. Ages are by the store's clock, and the leader has just written
 * its lease: so the last change in the folder is now.
 *
 * @param entries all objects in the folder of the etcd cluster
 */
export function isBackupMissing(entries: readonly Entry[], backupPath: string, forMs: number): boolean {
  const changedMs = new Map(entries.map(({ path, modifiedMs }) => [path, modifiedMs]));
  const newest = lastStoredAmong(entries, backupPath);
  const sinceMs = changedMs.get(`${backupPath}/${newest === undefined ? CREATED : `${newest.name}/${BACKUP_META}`}`);
  return sinceMs !== undefined && Math.max(...changedMs.values()) - sinceMs > forMs;
}
