import { ActionableError } from '@kopsctl/errors/actionable-error.ts';

/**
 * Does something that has an end, whatever it asks: its signal is aborted after the time, and nobody waits for work that
 * ignores that.
 *
 * @param what completes "cannot …"
 * @throws ActionableError if it takes longer; the reason of `signal` once that is aborted
 */
export async function within<Result>(
  limitMs: number,
  what: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  const ending = new AbortController();
  const gaveUp = Promise.withResolvers<never>();
  const giveUp = (reason: unknown): void => {
    gaveUp.reject(reason);
    ending.abort(reason);
  };
  const late = (): void =>
    giveUp(
      new ActionableError({
        what,
        why: `no answer within ${limitMs / 1000} s`,
        next: 'check the network connection of this computer, and repeat the command',
      }),
    );
  const stop = (): void => giveUp(signal.reason);
  const timer = setTimeout(late, limitMs);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(ending.signal), gaveUp.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
