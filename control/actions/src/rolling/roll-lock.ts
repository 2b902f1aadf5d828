import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from '../phases/action.ts';
import { findHolder, withLockAt } from '../store/with-cluster-lock.ts';

/** The purpose of whoever rolls; others hold the lock so that nobody does. */
export const ROLLING = 'rolling-update';

/** Apart from the cluster's lock, so that nodes can be revoked while a cluster is rolled for hours. */
export const rollLockPath = (cluster: string): string => `${cluster}/manifests/kopsctl/rolling-update.lock`;

/** The process that rolls a cluster now; undefined if none does. */
export async function findRoller(store: StateStore, cluster: string, nowMs: number): Promise<LockRecord | undefined> {
  const holder = await findHolder(store, rollLockPath(cluster), nowMs);
  return holder?.purpose === ROLLING ? holder : undefined;
}

export interface RollLockWish {
  readonly context: Pick<ActionContext, 'signal' | 'onEvent'>;
  /** What is refused while somebody else has the lock, for the error. */
  readonly what: string;
  /** One word, which the other operator is told. */
  readonly purpose: string;
}

/**
 * Rolls a cluster, or does something beside which nobody may, while nobody else does. `signal` aborts when somebody else took the
 * lock. @throws ActionableError that names who has it
 */
export async function withRollLock<Result>(
  store: StateStore,
  cluster: string,
  { context, what, purpose }: RollLockWish,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const path = rollLockPath(cluster);
  const other = await findHolder(store, path, Date.now());
  if (other !== undefined) throw heldByOther(cluster, what, other);
  return withLockAt(store, { path, purpose, context }, work);
}

function heldByOther(cluster: string, what: string, holder: LockRecord): ActionableError {
  const { owner, purpose } = holder;
  const [since, ends] = [new Date(holder.acquiredMs).toISOString(), new Date(holder.expiresMs).toISOString()];
  const isRolling = purpose === ROLLING;
  return new ActionableError({
    what,
    why: isRolling
      ? `${owner} has been rolling it since ${since}`
      : `${owner} has been working on it since ${since} (${purpose})`,
    next: `${isRolling ? `see its progress with \`kopsctl rolling-update status ${cluster}\`` : 'wait until that is done'}; if that process has died, repeat the command after ${ends}`,
  });
}
