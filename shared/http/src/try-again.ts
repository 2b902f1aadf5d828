import pRetry from 'p-retry';

/** How often and how soon to try again. */
export interface Pace {
  /** After the first try. */
  readonly retries: number;
  readonly minTimeout: number;
  /** Each pause is this many times as long as the one before. */
  readonly factor: number;
  readonly maxTimeout: number;
  /** Whether each pause is up to twice as long, at random, so that machines that failed together do not return together. */
  readonly randomize?: boolean;
}

export interface TryingAgain {
  readonly pace: Pace;
  /** Whether the same work may succeed a moment later. A TypeError is a bug of ours and never passes. */
  readonly isPassing: (thrown: unknown) => boolean;
  /** Called before each pause. */
  readonly onRetry?: (thrown: unknown, inMs: number) => void;
}

/** Does something until it succeeds, fails in a way that does not pass, or no retry is left. @throws the last failure */
export function tryAgain<T>(
  once: (attempt: number) => Promise<T>,
  { pace, isPassing, onRetry }: TryingAgain,
  signal: AbortSignal | undefined,
): Promise<T> {
  return pRetry(once, {
    ...pace,
    signal,
    shouldRetry: ({ error, retryDelay }) => {
      if (!isPassing(error)) return false;
      onRetry?.(error, retryDelay);
      return true;
    },
  });
}
