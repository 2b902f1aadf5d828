import { randomBytes } from 'node:crypto';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What the handlers of state-store objects need. Paths of tasks are relative to the cluster's folder. */
export interface StoreEnv {
  readonly store: StateStore;
  readonly cluster: string;
  nowMs(): number;
  randomBytes(count: number): Uint8Array;
}

/** The store of one cluster, with the clock and the randomness of this machine. */
export const storeEnv = (store: StateStore, cluster: string): StoreEnv => ({
  store,
  cluster,
  nowMs: () => Date.now(),
  randomBytes: (count) => randomBytes(count),
});
