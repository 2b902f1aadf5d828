import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { type Pace, tryAgain } from './try-again.ts';

/** For an API of a cloud: about twenty seconds in all. The caller reports an outage that lasts longer. */
export const CLOUD_API: Pace = { retries: 6, minTimeout: 200, factor: 2, maxTimeout: 10_000, randomize: true };

/** For a metadata server, which answers in milliseconds; right after a boot the network may need some seconds. */
export const METADATA_SERVER: Pace = { retries: 9, minTimeout: 100, factor: 2, maxTimeout: 3000 };

export interface AskingAgain {
  readonly pace: Pace;
  /** Whether the same request may succeed a moment later. It is not called for an ActionableError, which is final. */
  readonly isPassing: (thrown: unknown) => boolean;
  /** Turns the last failure into the error that the caller gets. */
  readonly explain: (thrown: unknown) => unknown;
}

/** Asks until there is an answer, a failure that does not pass, or no retry left. */
export async function askAgain<T>(
  once: (attempt: number) => Promise<T>,
  { pace, isPassing, explain }: AskingAgain,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    const mayPass = (thrown: unknown): boolean => !(thrown instanceof ActionableError) && isPassing(thrown);
    return await tryAgain(once, { pace, isPassing: mayPass }, signal);
  } catch (thrown) {
    signal?.throwIfAborted();
    // A TypeError is a bug of ours, which needs its stack and no explanation.
    throw thrown instanceof ActionableError || thrown instanceof TypeError ? thrown : explain(thrown);
  }
}
