import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { HostMachines } from '@kopsctl/model/cloud.ts';
import { driverOf } from './cloud/cloud-layer.ts';
import { readCluster } from './store/cluster-store.ts';
import { hostSettings } from './cloud/host-settings.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';

/** The machines of a stored cluster, where they run on this computer: consoles, commands inside them, reboots. */
export async function openHostMachines(context: ActionContext): Promise<HostMachines> {
  const { store, cluster: name } = await chooseCluster(context, undefined);
  const { cluster } = await readCluster(store, name);
  const { hostMachines } = driverOf(cluster);
  if (hostMachines !== undefined) {
    return hostMachines({ cluster: name, storeUrl: store.url }, hostSettings(context.env, undefined));
  }
  throw new ActionableError({
    what: `reach the machines of ${name}`,
    why: `those of cloud provider ${cluster.spec.cloudProvider} do not run on this computer`,
    next: 'reach them as the cloud does, e.g. by SSH',
  });
}
