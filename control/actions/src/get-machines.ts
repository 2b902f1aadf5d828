import type { Machine } from '@kopsctl/model/cloud.ts';
import { hostSettings } from './cloud/host-settings.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openRunningCluster } from './cloud/running-cluster.ts';

/** The machines that a cluster has in its cloud. */
export async function getMachines(context: ActionContext, named?: string): Promise<readonly Machine[]> {
  const { store, cluster } = await chooseCluster(context, named);
  const running = await openRunningCluster(store, cluster, hostSettings(context.env, undefined));
  return running.machines();
}
