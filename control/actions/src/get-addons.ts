import { accessCluster } from './access/cluster-access.ts';
import { listRunningAddons, type RunningAddon } from './follow/list-addons.ts';
import { hostSettings } from './cloud/host-settings.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

/** The addons of a running cluster, and how what they run is doing. */
export async function getAddons(context: ActionContext): Promise<readonly RunningAddon[]> {
  const { store, cluster } = await chooseCluster(context, undefined);
  const { api } = await accessCluster(store, cluster, hostSettings(context.env, undefined));
  return listRunningAddons(api, context.signal);
}
