import { hostname } from 'node:os';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import { findLock, type HeldLock } from '@kopsctl/state-store/lock.ts';
import { withLock } from '@kopsctl/state-store/with-lock.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ActionContext } from '../phases/action.ts';
import { patienceOf } from '../phases/repeat-passing.ts';
import { freeLock } from './free-lock.ts';
import { hasEnded, thisProcess } from './this-process.ts';
import { userName } from './user-name.ts';

/**
 * The lock is renewed while the work goes on; an operator whose machine died blocks the next one for no longer than this. One
 * whose process died does not block the next one on the same machine at all.
 */
const LOCK_TTL_MS = 2 * 60 * 1000;

export const lockPath = (cluster: string): string => `${cluster}/lock`;

/**
 * Does something to a cluster while nobody else does; the end of the context ends it. @throws ActionableError that names the
 * holder of the lock, and since when it is held
 *
 * @param purpose one word, which the other operator is told
 */
export async function withClusterLock<Result>(
  store: StateStore,
  cluster: string,
  purpose: string,
  context: LockContext,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return withLockAt(store, { path: lockPath(cluster), purpose, context, signal: context.signal }, work);
}

type LockContext = Pick<ActionContext, 'signal' | 'onEvent'>;

export interface LockWish {
  readonly path: string;
  /** One word, which the other operator is told. */
  readonly purpose: string;
  readonly context: LockContext;
  /** Ends the work. Absent where the work itself hears of the end of the context, and ends in good order. */
  readonly signal?: AbortSignal;
}

/** The same for a lock of its own, for work that may go on for hours and does not hinder others. */
export async function withLockAt<Result>(
  store: StateStore,
  { path, purpose, context, signal }: LockWish,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const owner = `${userName()}@${hostname()} (process ${process.pid})`;
  const holder = await thisProcess();
  const lock = {
    owner,
    purpose,
    now: () => Date.now(),
    ttlMs: LOCK_TTL_MS,
    hasEnded,
    free: (held: HeldLock) => freeLock(held, { path, storeUrl: store.url, ...patienceOf(context) }, context.signal),
    ...(holder !== undefined && { process: holder }),
    ...(signal !== undefined && { signal }),
  };
  return withLock(store, path, lock, work);
}

/** The holder of a lock now; undefined if there is none. A process of this machine that has certainly ended holds none. */
export async function findHolder(store: StateStore, path: string, nowMs: number): Promise<LockRecord | undefined> {
  const found = await findLock(store, path, nowMs);
  return found?.process !== undefined && (await hasEnded(found.process)) ? undefined : found;
}
