import { accessCluster } from './access/cluster-access.ts';
import { listNodes, type NodesOverview } from './follow/list-nodes.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { outdatedOfStored } from './outdated/look-for-outdated.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';

/** Every machine of a cluster with all that is known of it. */
export async function getNodes(context: ActionContext): Promise<NodesOverview> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const settings = hostSettings(context.env, undefined);
  const machines = await inPhase(context, 'ask the cloud for machines', async () =>
    (await openRunningCluster(store, cluster, settings)).machines(),
  );
  const api = async () => (await accessCluster(store, cluster, settings)).api;
  const outdated = inPhase(context, 'compare machines with their plans', () =>
    outdatedOfStored(context, store, cluster),
  );
  return listNodes({ store, cluster, machines, outdated, api, signal: context.signal });
}
