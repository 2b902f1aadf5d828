import type { ActionContext } from './phases/action.ts';
import { rollStatus } from './control-rolling-update.ts';
import { type ReconciledCluster, reconcileCluster } from './reconcile-cluster.ts';
import { rollCluster, type RollingCluster, type RollManner } from './roll-cluster.ts';
import { isLeft } from './upgrade/operation.ts';
import { upgradeCluster, type UpgradedCluster } from './upgrade-cluster.ts';

export interface ResumeRequest {
  readonly cluster?: string | undefined;
  /** Applies where nothing was asked of what is resumed. */
  readonly manner: RollManner;
}

/** What a rolling update belonged to, and how that ended. */
export type ResumedRoll =
  | { readonly kind: 'RollingUpdate'; readonly rolling: RollingCluster }
  | { readonly kind: 'Upgrade'; readonly upgraded: UpgradedCluster }
  | { readonly kind: 'Reconciliation'; readonly reconciled: ReconciledCluster };

/** Resumes a rolling update where it was left, or the upgrade or the reconciliation that it was a part of. */
export async function resumeRoll(context: ActionContext, request: ResumeRequest): Promise<ResumedRoll> {
  const { cluster, operation } = await rollStatus(context, request);
  const manner: RollManner = { ...request.manner, resumes: true };
  if (!isLeft(operation)) {
    return { kind: 'RollingUpdate', rolling: await rollCluster(context, { ...manner, cluster, yes: true }) };
  }
  return operation.kind === 'Upgrade'
    ? { kind: 'Upgrade', upgraded: await upgradeCluster(context, { cluster, yes: true, manner }) }
    : { kind: 'Reconciliation', reconciled: await reconcileCluster(context, { cluster, yes: true, manner }) };
}
