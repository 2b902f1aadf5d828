import type { HostSettings, RunningCluster } from '@kopsctl/model/cloud.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { driverOf } from './cloud-layer.ts';
import { readCluster } from '../store/cluster-store.ts';
import { completeStored } from '../spec/complete.ts';

/** A stored cluster, completed without asking anything of its cloud. */
export async function completedCluster(store: StateStore, name: string): Promise<Completed> {
  return completeStored(await readCluster(store, name), store.url);
}

/** A stored cluster where it runs. Opening it asks nothing of the cloud. */
export async function openRunningCluster(
  store: StateStore,
  name: string,
  settings: HostSettings,
): Promise<RunningCluster> {
  return runningCluster(await completedCluster(store, name), store, settings);
}

/** A completed cluster where it runs. Opening it asks nothing of the cloud. */
export const runningCluster = (
  completed: Completed,
  { url: storeUrl }: StateStore,
  settings: HostSettings,
): Promise<RunningCluster> => driverOf(completed.cluster).running({ completed, storeUrl, settings });
