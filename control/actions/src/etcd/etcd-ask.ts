import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { readOutcome, writeCommand, type CommandOutcome, type EtcdWish } from '@kopsctl/state-store/etcd/command.ts';
import { awaitedApiServers, awaitedIn } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { readRestore } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { printableTexts } from '../follow/printable.ts';
import type { EtcdClusterInStore } from './etcd-clusters.ts';

/** Managers look every second; asking more often than this shows nothing new. */
const POLL_MS = 1_000;

export type Wish = Exclude<EtcdWish, { readonly action: 'unknown' }>;

/** Asks the managers of an etcd cluster for something. Resolves with the name by which its outcome is found. */
export const askEtcd = (store: StateStore, etcd: EtcdClusterInStore, wish: Wish): Promise<string> =>
  writeCommand(store, etcd.backupPath, wish, Date.now());

/** Waits until the managers have carried a command out. `onProgress` is told of each new phase of a restore. */
export async function waitForEtcd(
  store: StateStore,
  etcd: EtcdClusterInStore,
  command: string,
  timeoutMs: number,
  onProgress: (line: string) => void,
): Promise<CommandOutcome> {
  const giveUpAtMs = performance.now() + timeoutMs;
  let said = '';
  for (;;) {
    const outcome = await readOutcome(store, etcd.backupPath, command);
    if (outcome !== undefined) return printableTexts(outcome);
    const record = printableTexts((await readRestore(store, etcd.backupPath))?.record);
    const missing = record === undefined ? [] : [...awaitedIn(record), ...awaitedApiServers(record)];
    const waiting = missing.length > 0 ? `, waiting for ${missing.join(', ')}` : '';
    const line = record?.id === command ? `${record.phase}${waiting}` : 'waiting for a manager to take it up';
    if (line !== said) onProgress(line);
    said = line;
    if (performance.now() > giveUpAtMs) {
      throw new ActionableError({
        what: `wait for ${command} of etcd ${etcd.name}`,
        why: `there is no outcome after ${Math.round(timeoutMs / 1000)} s (${line})`,
        next: `the request is still pending; see \`kopsctl etcd doctor --etcd-cluster ${etcd.name}\``,
      });
    }
    await sleep(POLL_MS);
  }
}
