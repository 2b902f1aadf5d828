import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { specCloud } from '@kopsctl/clouds/control.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import { type ActionContext, inPhase, result } from './phases/action.ts';
import { aloneWithCluster } from './phases/alone-with-cluster.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { emptyPatiently, type Patience } from './phases/empty-patiently.ts';
import { eraseState } from './phases/erase-state.ts';
import { findExternalRemains, findRemains, type Remnant } from './phases/find-remains.ts';
import { forgetAccess } from './phases/forget-access.ts';
import { findClusterSpec } from './store/cluster-store.ts';

export interface DeleteClusterRequest {
  readonly cluster?: string | undefined;
  /** The cluster is deleted; otherwise it is only found. */
  readonly yes: boolean;
  /** The cloud is left alone, and only the state is deleted. */
  readonly unregister: boolean;
  /** Called with what is going to be deleted, before anything is deleted. */
  readonly onFound: (remnants: readonly Remnant[]) => void;
  /** The region of a cluster that no state store holds: what its cloud has of that name is deleted. */
  readonly externalRegion?: string | undefined;
  /** How often deletion is tried again where something could not be deleted; without it, deletion is tried once. */
  readonly patience?: Patience | undefined;
}

/**
 * `unknown`: what the cluster has could not be found out, and nothing was deleted. `kept`: something could not be deleted,
 * and the state is still there, so that it can be repeated.
 */
export type DeletedCluster =
  | { readonly kind: 'found' | 'deleted' }
  | { readonly kind: 'unknown'; readonly cluster: string; readonly failed: RunResult }
  | { readonly kind: 'kept'; readonly failed: RunResult };

/** Deletes what a cluster has in its cloud, then what the store holds of it. Can be repeated after any failure. */
export async function deleteCluster(context: ActionContext, request: DeleteClusterRequest): Promise<DeletedCluster> {
  const { yes, unregister, onFound, externalRegion, patience } = request;
  if (externalRegion !== undefined) return deleteExternal(context, request, externalRegion);
  // The history goes with the rest of the state, so nothing is added to it.
  const { store, cluster } = await chooseCluster({ ...context, author: undefined }, request.cluster);
  if (yes && context.name === undefined && (request.cluster ?? '') === '') await refuseUnnamed(store, cluster);
  const remains = await inPhase(context, 'find what belongs to the cluster', () =>
    findRemains(context, { store, cluster, unregister }),
  );
  if (remains.failed !== undefined) return { kind: 'unknown', cluster, failed: remains.failed };
  onFound(remains.remnants);
  if (!yes) return { kind: 'found' };
  const alone = { store, cluster, what: `delete the cluster ${cluster}`, purpose: 'delete' };
  return aloneWithCluster(context, alone, async (signal): Promise<DeletedCluster> => {
    const failed = await inPhase(context, 'delete the resources in the cloud', () =>
      emptyPatiently(remains, patience, signal),
    );
    if (failed !== undefined) return { kind: 'kept', failed };
    await inPhase(context, 'remove it from the kubeconfig', () => forgetAccess(context, store, cluster));
    await inPhase(context, 'erase the state', () => eraseState(store, cluster, signal));
    result(context, `Deleted cluster ${cluster}`);
    return { kind: 'deleted' };
  });
}

/** A script whose variable is empty must not lose a cluster of a cloud (kops cmd/kops/delete_cluster.go). */
async function refuseUnnamed(store: StateStore, cluster: string): Promise<void> {
  const found = await findClusterSpec(store, cluster);
  if (found !== undefined && specCloud(found).traits.sharesHost) return;
  throw new ActionableError({
    what: 'delete a cluster',
    why: 'a cluster in a cloud is deleted only by name',
    next: `name it: \`kopsctl delete cluster ${cluster} --yes\``,
    isUsage: true,
  });
}

/** Deletes what a cloud has of a cluster that no store holds: there is no state to erase, and no lock. */
async function deleteExternal(
  context: ActionContext,
  { cluster: argument, yes, onFound, patience }: DeleteClusterRequest,
  region: string,
): Promise<DeletedCluster> {
  const cluster = argument ?? context.name;
  if (cluster === undefined) {
    throw new ActionableError({
      what: 'delete a cluster that no state store holds',
      why: 'it has no name',
      next: 'name it: `kopsctl delete cluster NAME --external --region REGION`',
      isUsage: true,
    });
  }
  const remains = await inPhase(context, 'find what belongs to the cluster', () =>
    findExternalRemains(context, cluster, region),
  );
  if (remains.failed !== undefined) return { kind: 'unknown', cluster, failed: remains.failed };
  onFound(remains.remnants);
  if (!yes) return { kind: 'found' };
  const failed = await inPhase(context, 'delete the resources in the cloud', () =>
    emptyPatiently(remains, patience, context.signal),
  );
  if (failed !== undefined) return { kind: 'kept', failed };
  result(context, `Deleted cluster ${cluster}`);
  return { kind: 'deleted' };
}
