import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from './action.ts';
import { prepareCluster, type PreparedCluster } from './prepare-cluster.ts';
import { storedCluster } from './wanted-cluster.ts';

/**
 * A stored cluster as it would be made now, for those who only look at it: no connection is opened but that to the state store,
 * and remarks on the spec are left to commands that change something.
 */
export async function prepareStored(
  context: ActionContext,
  store: StateStore,
  cluster: string,
): Promise<PreparedCluster> {
  const wanted = await storedCluster(store, cluster);
  const silent: ActionContext = { ...context, onEvent: () => {} };
  return prepareCluster(silent, { store, wanted, assets: undefined, asksCloud: false, offline: true });
}
