import { backoffMs } from './backoff.ts';
import type { Clock } from './clock.ts';
import { describeFailure, type Failure, NotYet, PermanentError } from './failure.ts';
import type { Limits } from './limits.ts';

/** The clock, randomness and limits of retries. */
export interface TryEnv {
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: Limits;
  /** Ends everything, quietly. */
  readonly signal: AbortSignal;
}

export type Tried<T> =
  | { readonly outcome: 'done'; readonly value: T; readonly attempts: number }
  | ({ readonly outcome: 'failed'; readonly attempts: number } & Failure)
  | { readonly outcome: 'cancelled'; readonly attempts: number };

export interface Retry extends Failure {
  readonly attempt: number;
  readonly inMs: number;
  readonly notYet: boolean;
}

export interface Trying<T> {
  /** Waits for a free place and returns a function that gives it back. No place is held between attempts. */
  readonly enter: () => Promise<() => void>;
  readonly attempt: (attempt: number, signal: AbortSignal) => Promise<T>;
  readonly onRetry: (retry: Retry) => void;
}

/**
 * Tries until an attempt succeeds, fails for good, or the deadline, counted from the first attempt, has passed. Then the
 * running attempt is told to stop, and abandoned if it does not.
 */
export async function tryUntilDeadline<T>(trying: Trying<T>, env: TryEnv): Promise<Tried<T>> {
  const { clock, limits, signal } = env;
  const ended = new AbortController();
  const overdue = new AbortController();
  const stop = AbortSignal.any([signal, overdue.signal]);
  let deadlineMs = Infinity;
  let last: Failure | undefined;

  try {
    for (let attempt = 1; ; attempt++) {
      const leave = await trying.enter();
      let inMs: number;
      try {
        if (signal.aborted) return { outcome: 'cancelled', attempts: attempt - 1 };
        if (attempt === 1) {
          deadlineMs = clock.nowMs() + limits.perTaskDeadlineMs;
          void abortAfter(limits.perTaskDeadlineMs, overdue, ended.signal, clock);
        }
        // Its time may have run out while it waited for a place.
        stop.throwIfAborted();
        const value = await orAbandon(trying.attempt(attempt, stop), stop, env);
        return { outcome: 'done', value, attempts: attempt };
      } catch (thrown) {
        if (signal.aborted) return { outcome: 'cancelled', attempts: attempt };
        const failure = overdue.signal.aborted ? overdueFailure(limits, last, thrown) : describeFailure(thrown);
        const notYet = thrown instanceof NotYet;
        inMs = backoffMs(attempt, limits, notYet, env.random());
        if (thrown instanceof PermanentError || overdue.signal.aborted || clock.nowMs() + inMs >= deadlineMs) {
          return { outcome: 'failed', attempts: attempt, ...failure };
        }
        last = failure;
        trying.onRetry({ ...failure, attempt, inMs, notYet });
      } finally {
        leave();
      }
      await clock.sleep(inMs, signal);
    }
  } finally {
    ended.abort('ended');
  }
}

async function abortAfter(ms: number, overdue: AbortController, ended: AbortSignal, clock: Clock): Promise<void> {
  await clock.sleep(ms, ended);
  if (!ended.aborted) overdue.abort();
}

/** The promise, unless it runs longer than the grace period after the signal. */
async function orAbandon<T>(promise: Promise<T>, stop: AbortSignal, { clock, limits }: TryEnv): Promise<T> {
  const settled = new AbortController();
  const abandoned = new Promise<never>((_, reject) => {
    const giveUp = async () => {
      await clock.sleep(limits.graceMs, settled.signal);
      reject(new Error('it did not stop when told to'));
    };
    if (stop.aborted) void giveUp();
    else stop.addEventListener('abort', () => void giveUp(), { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([promise, abandoned]);
  } finally {
    settled.abort('settled');
  }
}

function overdueFailure(limits: Limits, last: Failure | undefined, thrown: unknown): Failure {
  const { error, hint } = last ?? describeFailure(thrown);
  return {
    error: `not done after ${Math.round(limits.perTaskDeadlineMs / 1000)} s (last: ${error})`,
    ...(hint === undefined ? {} : { hint }),
  };
}
