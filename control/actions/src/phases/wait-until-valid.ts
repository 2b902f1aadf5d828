import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ClusterAccess } from '../access/cluster-access.ts';
import { type FollowedCluster, followCluster } from '../follow/follow-cluster.ts';
import { compareCluster } from '../validate/compare-cluster.ts';
import { observeFoundations } from '../validate/observe-foundations.ts';
import type { ActionContext } from './action.ts';

export interface Waiting {
  readonly store: StateStore;
  readonly cluster: string;
  readonly access: ClusterAccess;
  /** How long to wait; at 0, there is only one look. */
  readonly waitMs: number;
  /** Whether etcd, certificates, addons, names and Services are looked at, beside machines, Nodes and pods. */
  readonly looksAtFoundations: boolean;
  /** The cluster has to be valid in this many looks in a row. */
  readonly count?: number;
  /** The least time between two looks. */
  readonly intervalMs?: number;
  /** This many Nodes of workers may be not Ready. */
  readonly maxUnreadyNodes?: number;
}

/** Follows a cluster until it is valid, the time is over, or a person stops it. Resolves with what was found last: no failures when it is valid. */
export async function waitUntilValid(
  context: ActionContext,
  { store, cluster, access, waitMs, looksAtFoundations, count = 1, intervalMs = 0, maxUnreadyNodes = 0 }: Waiting,
): Promise<FollowedCluster> {
  return followCluster({
    store,
    cluster,
    look: async (isLast) => {
      const found = await compareCluster(access, maxUnreadyNodes, context.signal);
      // It takes more requests, and decides nothing while machines are missing: then it waits for the last look.
      return looksAtFoundations && (isLast || found.failures.length === 0)
        ? observeFoundations({ store, access, found }, context.signal)
        : found;
    },
    onProgress: (progress) => context.onEvent({ type: 'progress', atMs: Date.now(), progress }),
    tellsFailures: looksAtFoundations,
    waitMs,
    count,
    intervalMs,
    signal: context.signal,
  });
}
