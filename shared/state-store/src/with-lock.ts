import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, LockLostError, type HeldLock, type LockRequest } from './lock.ts';
import type { StateStore } from './store.ts';

/** Two renewals may fail before the lock expires. */
const RENEWALS_PER_TTL = 3;

export interface WithLockRequest extends LockRequest {
  /**
   * Frees the lock of work that is done, e.g. more patiently than by the one request that is sent otherwise. Where it throws,
   * so does `withLock`, although the work is done.
   */
  readonly free?: (lock: HeldLock) => Promise<unknown>;
}

/**
 * Runs `work` while holding the lock, renews the lock meanwhile, and frees it afterwards, however the work ended. The
 * signal passed to the work aborts when the lock is lost, with the LockLostError as its reason, and when the caller
 * cancels. A renewal that fails otherwise (the store is away) is repeated; the lock is lost when another holder has it.
 */
export async function withLock<T>(
  store: StateStore,
  path: string,
  request: WithLockRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lock = await acquireLock(store, path, request);
  const lost = new AbortController();
  const done = new AbortController();
  const renewing = keepRenewing(lock, request.ttlMs / RENEWALS_PER_TTL, lost, done.signal);
  const signal = request.signal === undefined ? lost.signal : AbortSignal.any([lost.signal, request.signal]);
  let result: T;
  try {
    result = await work(signal);
  } catch (thrown) {
    done.abort();
    await renewing;
    // If the store is away, that has probably ended the work too: its error counts, and the lock expires by itself.
    await lock.release().catch(() => 'lost');
    throw lost.signal.aborted ? lost.signal.reason : thrown;
  }
  done.abort();
  await renewing;
  await (request.free ?? free)(lock);
  return result;
}

const free = (lock: HeldLock): Promise<unknown> => lock.release();

async function keepRenewing(lock: HeldLock, everyMs: number, lost: AbortController, done: AbortSignal): Promise<void> {
  for (;;) {
    const isDone = await sleep(everyMs, false, { signal: done, ref: false }).catch(() => true);
    if (isDone) return;
    try {
      await lock.renew();
    } catch (thrown) {
      if (!(thrown instanceof LockLostError)) continue; // The store is away; writes would fail just the same.
      lost.abort(thrown);
      return;
    }
  }
}
