import { parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { CREATED, parseMarker, startedFolder } from '../store/layout.ts';

/** What `startedPath` holds for a member of a restored cluster: it has the data of that restore. */
export function printRestored(restore: string): string {
  return `${JSON.stringify({ restored: restore })}\n`;
}

/**
 * Whether the cluster that the marker names was made by this restore. Its members say so, even if the record of the restore was
 * lost or removed before it had ended.
 */
export async function isCarriedOut(
  restore: string,
  store: StateStore,
  backupPath: string,
  signal: AbortSignal,
): Promise<boolean> {
  const marker = await store.read(`${backupPath}/${CREATED}`, signal);
  const token = marker && parseMarker(Buffer.from(marker.bytes).toString('utf8'))?.token;
  if (token === undefined) return false;
  for (const { path } of await store.list(`${backupPath}/${startedFolder(token)}`, signal)) {
    const started = await store.read(path, signal);
    if (asRecord(started && parseJson(started.bytes))['restored'] === restore) return true;
  }
  return false;
}
