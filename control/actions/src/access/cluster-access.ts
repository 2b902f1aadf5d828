import type { StateStore } from '@kopsctl/state-store/store.ts';
import { issueAdminCredentials, type AdminCredentials } from './admin-credentials.ts';
import { connectKubernetesApi, type KubernetesApi } from './kubernetes-api.ts';
import { withCluster } from './kubeconfig.ts';
import { readKubeconfig, writeKubeconfig } from './kubeconfig-file.ts';
import type { HostSettings } from '@kopsctl/model/cloud.ts';
import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import type { ApiAddress } from '@kopsctl/model/cloud.ts';
import { openRunningCluster } from '../cloud/running-cluster.ts';

/** How this computer reaches a running cluster. */
export interface ClusterAccess extends ApiAddress {
  readonly credentials: AdminCredentials;
  readonly api: KubernetesApi;
  expectedNodes(): Promise<readonly ExpectedNode[]>;
}

/** Finds where a cluster's API answers and issues a certificate for it. */
export async function accessCluster(
  store: StateStore,
  cluster: string,
  settings: HostSettings,
  lifetimeMs?: number,
): Promise<ClusterAccess> {
  const running = await openRunningCluster(store, cluster, settings);
  const address = await running.api();
  const credentials = await issueAdminCredentials(store, cluster, Date.now(), lifetimeMs);
  return {
    ...address,
    credentials,
    api: connectKubernetesApi(address, credentials),
    expectedNodes: () => running.expectedNodes(),
  };
}

/** Writes the cluster into the user's kubeconfig and makes it current. */
export async function exportAccess(access: ClusterAccess, cluster: string, path: string): Promise<void> {
  const config = withCluster(await readKubeconfig(path), cluster, access, access.credentials);
  await writeKubeconfig(path, config);
}
