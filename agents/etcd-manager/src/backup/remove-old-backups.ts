import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import {
  BACKUP_DATA,
  BACKUP_FACTS,
  BACKUP_META,
  BACKUP_VERIFIED,
  backupTimeMs,
  ENCRYPTED_BACKUP_DATA,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { finishedBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { planRetention, retentionFrom } from './plan-retention.ts';

/** No backup takes this long: a folder without a meta file after it was left by a failed backup. */
const UNFINISHED_MS = 24 * 60 * 60_000;

/** The meta file first, so that a partly removed backup does not count as one. */
const FILES = [BACKUP_META, BACKUP_FACTS, BACKUP_VERIFIED, BACKUP_DATA, ENCRYPTED_BACKUP_DATA];

/** Removes the backups that are past their retention, and unfinished ones. Resolves with their names. */
export async function removeOldBackups(
  config: EtcdClusterConfig,
  store: StateStore,
  nowMs: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const entries = await store.list(config.backupPath, signal);
  const finished = finishedBackups(entries, config.backupPath).map(({ name }) => name);
  const folders = new Set(entries.map(({ path }) => path.slice(config.backupPath.length + 1).split('/')[0] ?? ''));
  const unfinished = [...folders].filter((name) => {
    const madeMs = backupTimeMs(name);
    return madeMs !== undefined && nowMs - madeMs > UNFINISHED_MS && !finished.includes(name);
  });
  const old = [...planRetention(finished, retentionFrom(config.env), nowMs), ...unfinished];
  for (const name of old) {
    for (const file of FILES) await store.delete(`${config.backupPath}/${name}/${file}`, undefined, signal);
  }
  return old;
}
