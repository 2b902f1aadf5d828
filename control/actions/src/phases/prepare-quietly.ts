import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from './action.ts';
import { prepareCluster, type PreparedCluster } from './prepare-cluster.ts';
import type { WantedCluster } from './wanted-cluster.ts';

/**
 * A cluster as it would be made, for those who only look at it: no connection is opened but that to the state store, and remarks
 * on the spec are left to commands that change something.
 */
export function prepareQuietly(
  context: ActionContext,
  store: StateStore,
  wanted: WantedCluster,
): Promise<PreparedCluster> {
  const silent: ActionContext = { ...context, onEvent: () => {} };
  return prepareCluster(silent, { store, wanted, assets: undefined, asksCloud: false, offline: true });
}
