import type { StateStore } from '@kopsctl/state-store/store.ts';
import { issueAdminCredentials, type AdminCredentials } from './admin-credentials.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { connectKube, connectKubernetesApi, type KubernetesApi } from './kubernetes-api.ts';
import { type ApiChoice, chosenAddress } from './api-choice.ts';
import { type KubeconfigUser, withCluster } from './kubeconfig.ts';
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

export interface AccessOptions {
  /** How long the certificate is valid. */
  readonly lifetimeMs?: number | undefined;
  readonly signal?: AbortSignal;
  /** Where the API is asked, if a person says so. */
  readonly choice?: ApiChoice;
  /** Where the person's kubeconfig is. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Finds where a cluster's API answers and issues a certificate for it. */
export async function accessCluster(
  store: StateStore,
  cluster: string,
  settings: HostSettings,
  { lifetimeMs, signal, choice = {}, env = {} }: AccessOptions = {},
): Promise<ClusterAccess> {
  const completed = await completedCluster(store, cluster);
  const running = await runningCluster(completed, store, settings);
  const address = (await chosenAddress(choice, completed.cluster, env)) ?? (await running.api(signal));
  const credentials = await issueAdminCredentials(store, cluster, Date.now(), lifetimeMs);
  const kube = connectKube(address, credentials);
  return { ...address, credentials, kube, api: connectKubernetesApi(address, credentials), completed, running };
}

/** Writes the cluster into a kubeconfig and makes it current: as its administrator, unless another user is named. */
export async function exportAccess(
  { credentials, ...address }: ClusterAccess,
  cluster: string,
  path: string,
  user: KubeconfigUser = { kind: 'admin', credentials },
): Promise<void> {
  const config = await readKubeconfig(path);
  await writeKubeconfig(path, withCluster(config, cluster, { ...address, caPem: credentials.caPem }, user));
}
