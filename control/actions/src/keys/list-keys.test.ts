import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { nameOfCluster } from '../phases/choose-cluster.ts';
import { listKeypairs } from './list-keys.ts';

/** A store that answers no listing until it is given up. */
const silent: StateStore = {
  ...createMemoryStore(),
  list: (_prefix, signal) =>
    new Promise((_resolve, reject) => {
      if (signal === undefined) reject(new Error('nothing can end this'));
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    }),
};

test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['the key pairs', (signal) => listKeypairs(silent, 'demo', signal)],
  ['the clusters', (signal) => nameOfCluster({ env: {}, onEvent: () => {}, signal }, silent, undefined)],
])('listing %s of a store that does not answer ends with its signal', async (_what, list) => {
  const ending = new AbortController();
  const listing = list(ending.signal);
  ending.abort();
  await expect(listing).rejects.toThrow('ended');
});
