import { NoAnswerError } from '@kopsctl/http/http.ts';

/**
 * Waits for work that takes no signal itself, but no longer than until the signal aborts or the time is up. The work
 * then goes on unobserved, so use this only for work that has a limit of its own or does no harm.
 */
export async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal | undefined, withinMs: number): Promise<T> {
  // Once this has ended, nobody waits for a failure.
  work.catch(() => undefined);
  signal?.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(() => reject(new NoAnswerError(`no answer within ${withinMs / 1000} s`)), withinMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
