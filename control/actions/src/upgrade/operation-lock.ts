import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from '../phases/action.ts';
import { findHolder, withLockAt } from '../store/with-cluster-lock.ts';

/** Apart from the locks of the cluster and of rolling updates: those are taken and released at each stage. */
const operationLockPath = (cluster: string): string => `${cluster}/manifests/kopsctl/upgrade.lock`;

/** The process that upgrades or reconciles a cluster now; undefined if none does. */
export const findUpgrader = (store: StateStore, cluster: string, nowMs: number): Promise<LockRecord | undefined> =>
  findHolder(store, operationLockPath(cluster), nowMs);

/** Works while nobody else upgrades or reconciles the cluster. @throws ActionableError that names who does */
export async function withOperationLock<Result>(
  store: StateStore,
  cluster: string,
  purpose: 'upgrade' | 'reconcile',
  context: Pick<ActionContext, 'signal' | 'onEvent'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withLockAt(store, { path: operationLockPath(cluster), purpose, context }, work);
}

/** @throws ActionableError where somebody upgrades or reconciles the cluster now, which rolls its machines by itself */
export async function refuseBesideUpgrade(store: StateStore, cluster: string, what: string): Promise<void> {
  const holder = await findUpgrader(store, cluster, Date.now());
  if (holder === undefined) return;
  throw new ActionableError({
    what,
    why: `${holder.owner} has been working on it since ${new Date(holder.acquiredMs).toISOString()} (${holder.purpose})`,
    next: `see the progress with \`kopsctl rolling-update status ${cluster}\``,
  });
}
