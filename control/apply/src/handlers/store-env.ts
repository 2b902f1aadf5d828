import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What the handlers of state-store objects need. Paths of tasks are relative to the cluster's folder. */
export interface StoreEnv {
  readonly store: StateStore;
  readonly cluster: string;
  nowMs(): number;
  randomBytes(count: number): Uint8Array;
}
