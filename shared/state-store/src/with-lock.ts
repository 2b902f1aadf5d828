import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import { beforeAbort } from './before-abort.ts';
import { acquireLock, LockLostError, type HeldLock, type LockRequest } from './lock.ts';
import type { StateStore } from './store.ts';

/** Two renewals may fail before the lock expires, and the third has a quarter of its time. */
const RENEWALS_PER_TTL = 4;

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
 * cancels. A renewal that fails otherwise (the store is away) is repeated. The lock is lost when another holder has it, and
 * when it has expired before the store answers again: anybody may have it then.
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
  const renewing = keepRenewing(lock, { ...request, url: `${path} in ${store.url}` }, lost, done.signal);
  const signal = request.signal === undefined ? lost.signal : AbortSignal.any([lost.signal, request.signal]);
  let result: T;
  try {
    result = await work(signal);
  } catch (thrown) {
    done.abort();
    await renewing;
    if (lost.signal.aborted) throw lost.signal.reason;
    // If the store is away, that has probably ended the work too: its error counts, and the lock expires by itself.
    await lock.release().catch(() => 'lost');
    throw thrown;
  }
  done.abort();
  await renewing;
  await (request.free ?? free)(lock);
  return result;
}

const free = (lock: HeldLock): Promise<unknown> => lock.release();

async function keepRenewing(
  lock: HeldLock,
  { url, ttlMs, now }: WithLockRequest & { readonly url: string },
  lost: AbortController,
  done: AbortSignal,
): Promise<void> {
  const everyMs = ttlMs / RENEWALS_PER_TTL;
  for (;;) {
    const isDone = await sleep(everyMs, false, { signal: done, ref: false }).catch(() => true);
    if (isDone) return;
    try {
      // Also where it has expired meanwhile, such as while the computer slept: it may still be ours.
      await beforeAbort(lock.renew(), done, Math.max(everyMs, lock.record.expiresMs - now()));
    } catch (thrown) {
      if (done.aborted) return;
      if (thrown instanceof LockLostError) lost.abort(thrown);
      else if (now() >= lock.record.expiresMs) lost.abort(expired(url, lock, thrown));
      else continue;
      return;
    }
  }
}

function expired(url: string, { record }: HeldLock, cause: unknown): LockLostError {
  return new LockLostError({
    what: `keep the lock ${url}`,
    why: `it expired at ${new Date(record.expiresMs).toISOString()}, before the store answered again (${messageOf(cause)})`,
    next: 'repeat the command once the store answers; what was done so far stays',
    cause,
  });
}
