import { pause } from '@kopsctl/agent/pause.ts';
import { KubeError } from '@kopsctl/kube/client.ts';

export interface Restarting {
  /** Until when the API server may be away. */
  readonly deadlineMs: number;
  readonly lookAgainMs: number;
  readonly nowMs: () => number;
}

/**
 * Asks the API server again while it does not answer: a machine that is changed in place may be the one that serves it, and
 * starts it again with other settings.
 *
 * @throws the last failure after the deadline; at once, where the server has answered that it refuses
 */
export async function throughRestart<T>(
  ask: () => Promise<T>,
  { deadlineMs, lookAgainMs, nowMs }: Restarting,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (nowMs() >= deadlineMs || !isAway(error)) throw error;
    }
    await pause(lookAgainMs, signal);
  }
}

/** While it starts and stops, it answers that it is not available, if it answers at all. A TypeError is a bug of ours. */
const isAway = (thrown: unknown): boolean =>
  thrown instanceof KubeError ? thrown.status >= 500 || thrown.status === 429 : !(thrown instanceof TypeError);
