import { pause } from '@kopsctl/agent/pause.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { KubeError } from '@kopsctl/kube/client.ts';

export interface Restarting {
  /** From this moment on, the API server may be away for `withinMs`. */
  readonly begunMs: number;
  readonly withinMs: number;
  readonly lookAgainMs: number;
  readonly nowMs: () => number;
}

/**
 * Asks the API server again while it does not answer: a machine that is changed in place may be the one that serves it, and
 * starts it again with other settings.
 *
 * @throws where the server has answered that it refuses, or is still away when the time is over
 */
export async function throughRestart<T>(
  ask: () => Promise<T>,
  { begunMs, withinMs, lookAgainMs, nowMs }: Restarting,
  signal: AbortSignal,
): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAway(error)) throw error;
      if (nowMs() >= begunMs + withinMs) throw stillAway(error, withinMs);
    }
    await pause(lookAgainMs, signal);
  }
}

/** While it starts and stops, it answers that it is not available, if it answers at all. A TypeError is a bug of ours. */
const isAway = (thrown: unknown): boolean =>
  thrown instanceof KubeError ? thrown.status >= 500 || thrown.status === 429 : !(thrown instanceof TypeError);

/** The failure is not its cause: connections that are refused are repeated elsewhere, and this has had its time. */
const stillAway = (failure: unknown, withinMs: number): ActionableError =>
  new ActionableError({
    what: `reach the API server, which may have been started again, within ${withinMs / 60_000} minutes`,
    why: messageOf(failure),
    next: 'see on the control plane why it does not start: `journalctl -u kubelet`',
  });
