import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { ApiChoice } from './access/api-choice.ts';
import { type KubeconfigWish, writeKubeconfigOf } from './access/kubeconfig-wish.ts';
import type { ActionContext } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openStateStore } from './phases/open-store.ts';
import { clusterNames } from './store/cluster-names.ts';

export interface ExportRequest extends KubeconfigWish, Pick<ApiChoice, 'apiServer' | 'isInternal'> {
  readonly cluster?: string | undefined;
  /** Every cluster of the store. */
  readonly all?: boolean | undefined;
}

/** Where the access to clusters was written. */
export interface ExportedKubeconfig {
  readonly clusters: readonly string[];
  readonly path: string;
}

/** Writes the access to a cluster, or to all of a store, into a kubeconfig. */
export async function exportKubeconfig(context: ActionContext, request: ExportRequest): Promise<ExportedKubeconfig> {
  if (request.all !== true) {
    const { store, cluster } = await chooseCluster(context, request.cluster);
    return { clusters: [cluster], path: await writeKubeconfigOf(context, store, cluster, request) };
  }
  const store = await openStateStore(context);
  const clusters = await clusterNames(store);
  let path: string | undefined;
  for (const cluster of clusters) path = await writeKubeconfigOf(context, store, cluster, request);
  if (path !== undefined) return { clusters, path };
  throw new ActionableError({
    what: 'export the access to all clusters',
    why: `${store.url} holds none`,
    next: 'check --state, or create one with `kopsctl create cluster NAME`',
  });
}
