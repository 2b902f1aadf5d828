import { pause } from '@kopsctl/agent/pause.ts';
import { CLOUDS } from '@kopsctl/clouds/control.ts';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { NoAnswerError } from '@kopsctl/http/http.ts';
import { type ActionContext, note } from './action.ts';

/**
 * An API server that restarts, etcd that elects a leader, and a load balancer that ends the connections of a target which
 * leaves it are over within seconds; what lasts longer fails, with its reason.
 */
const PASSES_WITHIN_MS = 60_000;
/** The pauses double this often: from half a second to eight. */
const DOUBLINGS = 4;

/** Half a second: what passes is over within seconds. */
const LOOK_AGAIN_MS = 500;

/** How something is repeated, and who is told of it. */
export interface Repeating {
  /** The first pause. */
  readonly lookAgainMs: number;
  readonly nowMs: () => number;
  readonly say: (line: string) => void;
}

/** How an action repeats what passes: in real time, and the person sees it as a note. */
export const patienceOf = (context: Pick<ActionContext, 'onEvent'>): Repeating => ({
  lookAgainMs: LOOK_AGAIN_MS,
  nowMs: () => Date.now(),
  say: (line) => note(context, line),
});

/**
 * Does something that may be repeated until it succeeds, fails for good, or has failed for too long. Not with p-retry, which
 * counts tries and not the time since the first failure, and does nothing at all once the signal is aborted: a lock is still
 * freed then (docs/decisions/0006-libraries-and-code-of-our-own.md).
 *
 * @throws the last failure
 */
export async function repeatPassing<Result>(
  work: () => Promise<Result>,
  { lookAgainMs, nowMs, say }: Repeating,
  signal: AbortSignal,
): Promise<Result> {
  let sinceMs: number | undefined;
  let mayBeginAgain = true;
  let told: string | undefined;
  for (let failures = 0; ; failures += 1) {
    const begunMs = nowMs();
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (sinceMs === undefined) {
        sinceMs = nowMs();
      } else if (mayBeginAgain && nowMs() - begunMs > PASSES_WITHIN_MS) {
        // What went on for longer than that, such as a drain, had answers in between: it failed just now. Once only, because
        // what takes that long to fail each time would be repeated for ever.
        [sinceMs, failures, mayBeginAgain] = [nowMs(), 0, false];
      }
      if (!mayPass(error) || nowMs() - sinceMs >= PASSES_WITHIN_MS) throw error;
      const why = messageOf(error);
      if (why !== told) say(`trying again: ${why}`);
      told = why;
      await pause(lookAgainMs * 2 ** Math.min(failures, DOUBLINGS), signal);
    }
  }
}

/** There is no connection at the moment, or it was cut. */
const OF_THE_NETWORK: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Whether the same request may succeed a moment later. Clouds know their own errors, other servers say so with their status,
 * and stores say what a person has to fix with an ActionableError, which may also be how they say that there was no connection.
 * Pure.
 */
export function mayPass(thrown: unknown): boolean {
  for (let one = thrown; one instanceof Error; one = one.cause) {
    // A bug of ours.
    if (one instanceof TypeError) return false;
    if (one instanceof NoAnswerError || OF_THE_NETWORK.has(codeOf(one) ?? '')) return true;
    const passes = passesInItsCloud(one) ?? passesByStatus(one);
    if (passes !== undefined) return passes;
  }
  return !(thrown instanceof ActionableError);
}

/** The store may be in another cloud than the cluster, so each cloud is asked; undefined for errors of none. */
function passesInItsCloud(error: Error): boolean | undefined {
  for (const { isPassing } of CLOUDS) {
    const passes = isPassing?.(error);
    if (passes !== undefined) return passes;
  }
  return undefined;
}

/** 401: the client reads its credentials again, because they may have expired. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([401, 408, 429]);

/** Undefined where nobody answered. */
function passesByStatus(error: Error): boolean | undefined {
  const status: unknown = Reflect.get(error, 'status');
  return typeof status === 'number' ? PASSING_STATUSES.has(status) || status >= 500 : undefined;
}
