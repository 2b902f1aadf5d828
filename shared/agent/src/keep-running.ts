import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { errorText } from './log-line.ts';
import type { Log } from './log.ts';
import { jittered } from './wake.ts';

const FIRST_DELAY_MS = 250;
/** With a longer delay, a person who has fixed the cause would wait too long. */
const LONGEST_DELAY_MS = 30_000;
/** The cap while the other side has not started yet (an API server while the machine boots): a refused connection is
 *  cheap, and everything waits for it. */
const LONGEST_NOT_YET_MS = 1_000;
/** A run that has lasted this long counts as healthy, until it fails. */
const CALM_MS = 5_000;
/** After a run that lasted this long, the next failure starts from the first delay again. */
const WORKED_MS = 60_000;

/**
 * Runs one reconciler until the signal aborts. After a failure it is started again with a growing, capped and jittered
 * delay. The same failure is logged the 1st, 4th, 16th … time.
 *
 * @param onHealth called with each failure, and with undefined once a run has lasted some seconds
 */
export async function keepRunning(
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  log: Log,
  onHealth: (failure: string | undefined) => void = () => undefined,
): Promise<void> {
  // Counted separately: a minute of "connection refused" during a boot must not delay the retry of a real failure.
  const failures = { notYet: 0, real: 0 };
  let said = '';
  while (!signal.aborted) {
    const startedMs = performance.now();
    const calm = setTimeout(() => onHealth(undefined), CALM_MS);
    try {
      await run(signal);
    } catch (error) {
      clearTimeout(calm);
      if (signal.aborted) return;
      if (performance.now() - startedMs > WORKED_MS) failures.notYet = failures.real = 0;
      const kind = isNotYet(error) ? 'notYet' : 'real';
      const count = (failures[kind] += 1);
      const delayMs = delayAfter(count, kind === 'notYet');
      const text = errorText(error);
      onHealth(error instanceof ActionableError ? `${text}; next: ${error.next}` : text);
      if (text !== said || Number.isInteger(Math.log2(count) / 2)) {
        log[kind === 'notYet' ? 'warn' : 'error']('failed, will retry', { error, failures: count, inMs: delayMs });
        said = text;
      }
      await sleep(jittered(delayMs), undefined, { signal }).catch(() => undefined);
    }
    clearTimeout(calm);
  }
}

/** The delay before the next attempt, doubling from 250 ms to its cap. */
export function delayAfter(failures: number, notYet: boolean): number {
  const capMs = notYet ? LONGEST_NOT_YET_MS : LONGEST_DELAY_MS;
  return Math.min(capMs, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
}

/** Whether the error only means that the other side is not there yet. */
export function isNotYet(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENOENT'];
  for (let one = error; one instanceof Error; one = one.cause) if (codes.includes(codeOf(one) ?? '')) return true;
  return false;
}
