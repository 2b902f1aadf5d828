import type { StateStore } from '@kopsctl/state-store/store.ts';
import { issueAdminCredentials, type AdminCredentials } from './admin-credentials.ts';
import { connectKubernetesApi, type KubernetesApi } from './kubernetes-api.ts';
import { withCluster } from './kubeconfig.ts';
import { readKubeconfig, writeKubeconfig } from './kubeconfig-file.ts';
import { describeLocal, openLocal } from './local-cluster.ts';
import type { LocalSettings } from './local-settings.ts';
import type { ExpectedNode } from './plan-validation.ts';

/** How this computer reaches a running cluster. */
export interface ClusterAccess {
  readonly server: string;
  readonly credentials: AdminCredentials;
  readonly api: KubernetesApi;
  expectedNodes(): Promise<readonly ExpectedNode[]>;
}

/** Finds a local cluster's API address and issues a certificate for it. */
export async function accessCluster(
  store: StateStore,
  cluster: string,
  settings: LocalSettings,
  lifetimeMs?: number,
): Promise<ClusterAccess> {
  const local = openLocal(cluster, settings);
  const server = `https://127.0.0.1:${(await describeLocal(local)).network.apiPort}`;
  const credentials = await issueAdminCredentials(store, cluster, Date.now(), lifetimeMs);
  return {
    server,
    credentials,
    api: connectKubernetesApi(server, credentials),
    async expectedNodes() {
      const { machines } = await describeLocal(local);
      return machines.map((machine) => ({
        nodeName: machine.nodeName,
        instanceGroup: machine.instanceGroup,
        controlPlane: machine.role === 'ControlPlane',
        running: machine.state === 'running',
        machineId: machine.machineId,
      }));
    },
  };
}

/** Writes the cluster into the user's kubeconfig and makes it current. */
export async function exportAccess(access: ClusterAccess, cluster: string, path: string): Promise<void> {
  const config = withCluster(await readKubeconfig(path), cluster, access.server, access.credentials);
  await writeKubeconfig(path, config);
}
