import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from '../phases/action.ts';
import { findHolder, withLockAt } from '../store/with-cluster-lock.ts';

/** Apart from the cluster's lock, so that nodes can be revoked while a cluster is rolled for hours. */
export const rollLockPath = (cluster: string): string => `${cluster}/manifests/kopsctl/rolling-update.lock`;

/** The process that rolls a cluster now; undefined if none does. */
export const findRoller = (store: StateStore, cluster: string, nowMs: number): Promise<LockRecord | undefined> =>
  findHolder(store, rollLockPath(cluster), nowMs);

/** Rolls a cluster while nobody else does. `signal` aborts when somebody else took the lock. @throws ActionableError that names who rolls */
export async function withRollLock<Result>(
  store: StateStore,
  cluster: string,
  context: Pick<ActionContext, 'signal' | 'onEvent'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const other = await findRoller(store, cluster, Date.now());
  if (other !== undefined) throw rolledByOther(cluster, other);
  return withLockAt(store, { path: rollLockPath(cluster), purpose: 'rolling-update', context }, work);
}

const rolledByOther = (cluster: string, { owner, acquiredMs, expiresMs }: LockRecord): ActionableError =>
  new ActionableError({
    what: `roll ${cluster}`,
    why: `${owner} has been rolling it since ${new Date(acquiredMs).toISOString()}`,
    next: `see its progress with \`kopsctl rolling-update status ${cluster}\`; if that process has died, repeat the command after ${new Date(expiresMs).toISOString()}`,
  });
