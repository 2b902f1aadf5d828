import { openKubeClient, type KubeClient } from '@kopsctl/kube/client.ts';
import { openRunningCluster } from '../cloud/running-cluster.ts';
import type { PreparedCluster } from '../phases/prepare-cluster.ts';
import { issueAdminCredentials } from './admin-credentials.ts';
import { type ApiChoice, chosenAddress } from './api-choice.ts';
import { kubeAccess } from './kubernetes-api.ts';

/** How a person wants the API of a cluster to be asked. */
export interface AdminAccess {
  readonly choice?: ApiChoice | undefined;
  /** How long the certificate is valid. */
  readonly lifetimeMs?: number | undefined;
  /** Where the person's kubeconfig is. */
  readonly env: NodeJS.ProcessEnv;
}

/** A client of a cluster's API that finds its server and issues a certificate whenever it connects. */
export const openAdminClient = (
  { store, name, settings, completed }: PreparedCluster,
  { choice = {}, lifetimeMs, env }: AdminAccess,
): KubeClient =>
  openKubeClient(async () => {
    const chosen = await chosenAddress(choice, completed.cluster, env);
    const address = chosen ?? (await (await openRunningCluster(store, name, settings)).api());
    return kubeAccess(address, await issueAdminCredentials(store, name, Date.now(), lifetimeMs));
  });
