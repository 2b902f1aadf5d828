import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { completeAndValidate } from './spec/complete.ts';
import { type ActionContext, inPhase } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { openConvergence } from './phases/converge.ts';
import { prepareCluster } from './phases/prepare-cluster.ts';
import { storedCluster, type WantedCluster } from './phases/wanted-cluster.ts';
import { type PlannedCluster, planCluster } from './plan-cluster.ts';
import { doOperation } from './upgrade/do-operation.ts';
import { oldestApiServer } from './upgrade/machine-versions.ts';
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
  const { wanted, version } = await inPhase(context, 'read the cluster', async () => {
    const stored = await storedCluster(store, cluster);
    const { spec } = completeAndValidate(stored.cluster, stored.instanceGroups, store.url).cluster;
    return { wanted: stored, version: bareVersion(spec.kubernetesVersion ?? '') };
  });
  const operation = await doOperation(context, {
    store,
    cluster,
    kind: 'Reconciliation',
    stages: stagesOfReconciliation(version),
    oldestApiServer: () => askApiServers(context, store, wanted, assets),
    manner,
    allowsDowngrade,
  });
  return { kind: 'done', cluster, operation };
}

/** The oldest version of Kubernetes that an API server runs. What is worked out for that is told when it is applied. */
async function askApiServers(
  context: ActionContext,
  store: StateStore,
  wanted: WantedCluster,
  assets: string | undefined,
): Promise<string | undefined> {
  const silent: ActionContext = { ...context, onEvent: () => {} };
  return inPhase(context, 'ask which versions API servers run', async () => {
    const prepared = await prepareCluster(silent, { store, wanted, assets, asksCloud: true, isMade: true });
    const convergence = await openConvergence(silent, prepared, { prune: false });
    return oldestApiServer(silent, prepared, convergence);
  });
}

const besideUpgrade = (cluster: string, former: Operation): ActionableError =>
  new ActionableError({
    what: `reconcile ${cluster}`,
    why: `an upgrade to ${targetOf(former)} was left unfinished (${former.state})`,
    next: `resume it: \`kopsctl rolling-update resume ${cluster}\`; or end it where it is: \`kopsctl rolling-update abort ${cluster}\``,
  });
