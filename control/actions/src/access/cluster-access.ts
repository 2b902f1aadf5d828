import type { StateStore } from '@kopsctl/state-store/store.ts';
import { issueAdminCredentials, type AdminCredentials } from './admin-credentials.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { connectKube, connectKubernetesApi, type KubernetesApi } from './kubernetes-api.ts';
import { withCluster } from './kubeconfig.ts';
import { readKubeconfig, writeKubeconfig } from './kubeconfig-file.ts';
import type { ApiAddress, HostSettings, RunningCluster } from '@kopsctl/model/cloud.ts';
import type { Completed } from '@kopsctl/spec/complete.ts';
import { completedCluster, runningCluster } from '../cloud/running-cluster.ts';

/** How this computer reaches a running cluster. */
export interface ClusterAccess extends ApiAddress {
  readonly credentials: AdminCredentials;
  readonly api: KubernetesApi;
  /** Any request to the API server. */
  readonly kube: KubeClient;
  readonly completed: Completed;
  readonly running: RunningCluster;
}

/** Finds where a cluster's API answers and issues a certificate for it. */
export async function accessCluster(
  store: StateStore,
  cluster: string,
  settings: HostSettings,
  { lifetimeMs, signal }: { readonly lifetimeMs?: number | undefined; readonly signal?: AbortSignal } = {},
): Promise<ClusterAccess> {
  const completed = await completedCluster(store, cluster);
  const running = await runningCluster(completed, store, settings);
  const address = await running.api(signal);
  const credentials = await issueAdminCredentials(store, cluster, Date.now(), lifetimeMs);
  const kube = connectKube(address, credentials);
  return { ...address, credentials, kube, api: connectKubernetesApi(address, credentials), completed, running };
}

/** Writes the cluster into the user's kubeconfig and makes it current. */
export async function exportAccess(access: ClusterAccess, cluster: string, path: string): Promise<void> {
  const config = withCluster(await readKubeconfig(path), cluster, access, access.credentials);
  await writeKubeconfig(path, config);
}
