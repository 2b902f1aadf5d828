import { createHash } from 'node:crypto';
import { addressOf } from '../hashes/pin-files.ts';
import { recordedHashes, recordHashes } from '../hashes/recorded-hashes.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from '../phases/action.ts';
import { prepareCluster } from '../phases/prepare-cluster.ts';
import { storedCluster } from '../phases/wanted-cluster.ts';
import { writeStored } from '../store/write-stored.ts';

/**
 * Records a made-up hash of each file that the machines of a stored cluster would download and the table lacks, so that
 * tests which start no machine need not reach the publishers.
 *
 * @param hashOf the hashes of other files that stand for the published ones
 */
export async function makeUpHashes(
  store: StateStore,
  cluster: string,
  hashOf: (address: string) => string = madeUp,
): Promise<void> {
  const { signal } = new AbortController();
  // What runs is this process: its environment may name other agents.
  const silent: ActionContext = { env: process.env, signal, onEvent: () => undefined };
  const wanted = await storedCluster(store, cluster);
  const { unpinned } = await prepareCluster(silent, {
    store,
    wanted,
    assets: undefined,
    asksCloud: false,
    offline: true,
  });
  // All was known before, or made up by an earlier call.
  if (unpinned.length === 0) return;
  const known = new Map(await recordedHashes(store, cluster));
  for (const asset of unpinned) known.set(addressOf(asset), hashOf(addressOf(asset)));
  await writeStored({ store, cluster, tasks: recordHashes(known), signal });
}

const madeUp = (address: string): string => createHash('sha256').update(address).digest('hex');
