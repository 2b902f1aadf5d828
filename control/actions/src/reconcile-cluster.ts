import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import { completeAndValidate } from './spec/complete.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { storedCluster } from './phases/wanted-cluster.ts';
import { type PlannedCluster, planCluster } from './plan-cluster.ts';
import { doOperation } from './upgrade/do-operation.ts';
import { isLeft, type Operation, targetOf } from './upgrade/operation.ts';
import { readOperation } from './upgrade/operation-journal.ts';
import { stagesOfReconciliation } from './upgrade/plan-stages.ts';
import type { RollManner } from './roll-cluster.ts';

export interface ReconcileRequest {
  readonly cluster?: string | undefined;
  /** It is done; otherwise what an update would change is shown. */
  readonly yes: boolean;
  readonly manner: RollManner;
  /** A newer kopsctl may have applied the cluster last. */
  readonly allowsDowngrade?: boolean | undefined;
}

export type ReconciledCluster =
  | { readonly kind: 'planned'; readonly planned: PlannedCluster }
  | { readonly kind: 'done'; readonly cluster: string; readonly operation: Operation };

/**
 * Makes a cluster what its spec says: what control planes need and then the control planes, everything else and then all
 * other machines, and at last takes away what is no longer wanted. No kubelet is ever newer than an API server.
 */
export async function reconcileCluster(context: ActionContext, request: ReconcileRequest): Promise<ReconciledCluster> {
  const { yes, manner, allowsDowngrade } = request;
  const { assets } = manner;
  const { store, cluster } = await chooseCluster(context, request.cluster);
  const former = await readOperation(store, cluster, context.signal);
  if (isLeft(former) && former.kind === 'Upgrade') throw besideUpgrade(cluster, former);
  if (!yes)
    return { kind: 'planned', planned: await planCluster(context, { cluster, scope: { prune: true }, assets }) };
  const version = await inPhase(context, 'read the cluster', async () => {
    const wanted = await storedCluster(store, cluster);
    const { spec } = completeAndValidate(wanted.cluster, wanted.instanceGroups, store.url).cluster;
    return bareVersion(spec.kubernetesVersion ?? '');
  });
  const stages = stagesOfReconciliation(version);
  const what = { store, cluster, kind: 'Reconciliation', stages, manner, allowsDowngrade } as const;
  const operation = await doOperation(context, what);
  return { kind: 'done', cluster, operation };
}

const besideUpgrade = (cluster: string, former: Operation): ActionableError =>
  new ActionableError({
    what: `reconcile ${cluster}`,
    why: `an upgrade to ${targetOf(former)} was left unfinished (${former.state})`,
    next: `go on with it: \`kopsctl upgrade cluster ${cluster} --yes\`; or end it where it is: \`kopsctl rolling-update abort ${cluster}\``,
  });
