import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ClusterAccess } from '../access/cluster-access.ts';
import { followCluster } from '../follow/follow-cluster.ts';
import type { ValidationFailure } from '../validate/plan-validation.ts';
import type { ActionContext } from './action.ts';

export interface Waiting {
  readonly store: StateStore;
  readonly cluster: string;
  readonly access: ClusterAccess;
  /** How long; at 0 it is looked once. */
  readonly waitMs: number;
}

/** Follows a cluster until it is valid or the time is over. Resolves with what is still wrong: nothing when it is valid. */
export async function waitUntilValid(
  context: ActionContext,
  { store, cluster, access, waitMs }: Waiting,
): Promise<readonly ValidationFailure[]> {
  const { failures } = await followCluster({
    store,
    cluster,
    expected: () => access.expectedNodes(),
    api: access.api,
    onProgress: (progress) => context.onEvent({ type: 'progress', atMs: Date.now(), progress }),
    deadlineMs: Date.now() + waitMs,
    signal: context.signal,
  });
  return failures;
}
