import type { HostSettings, RunningCluster } from '@kopsctl/model/cloud.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { driverOf } from './cloud-layer.ts';
import { readCluster } from '../store/cluster-store.ts';
import { completeAndValidate } from '../spec/complete.ts';

/** A stored cluster where it runs. Opening it asks nothing of the cloud. */
export async function openRunningCluster(
  store: StateStore,
  name: string,
  settings: HostSettings,
): Promise<RunningCluster> {
  const { cluster, instanceGroups } = await readCluster(store, name);
  const driver = driverOf(cluster);
  const completed = completeAndValidate(cluster, instanceGroups, store.url);
  return driver.running({ completed, storeUrl: store.url, settings });
}
