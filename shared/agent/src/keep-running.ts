import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from './log.ts';
import { jittered } from './wake.ts';

const FIRST_DELAY_MS = 250;
/** Longer than this, a person who has mended the cause would wait for nothing. */
const LONGEST_DELAY_MS = 30_000;
/** What merely has not started yet (an API server while the machine boots) is asked again this soon: a refused
 *  connection costs nothing, and everything else waits for it. */
const LONGEST_NOT_YET_MS = 1_000;
/** What fails at once fails within this. */
const CALM_MS = 5_000;
/** A run that lasted this long has worked: the next failure starts from the first delay again. */
const WORKED_MS = 60_000;

/**
 * Runs one reconciler until the signal ends it. Each failure is tried again after a growing, capped, jittered delay,
 * on its own, so that no reconciler waits for another. The same failure is logged at its 1st, 4th, 16th … time.
 *
 * @param onHealth told each failure, and undefined once a run has gone on for some seconds without one
 */
export async function keepRunning(
  run: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  log: Log,
  onHealth: (failure: string | undefined) => void = () => undefined,
): Promise<void> {
  // Counted apart: a minute of "connection refused" while a machine boots says nothing about the first real failure.
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
      const next = error instanceof ActionableError ? `; next: ${error.next}` : '';
      const message = `${messageOf(error)}${next}`;
      onHealth(message);
      if (message !== said || Number.isInteger(Math.log2(count) / 2)) {
        log[kind === 'notYet' ? 'warn' : 'error'](
          `${message} (failure ${count}, again in ${(delayMs / 1000).toFixed(1)} s)`,
        );
        said = message;
      }
      await sleep(jittered(delayMs), undefined, { signal }).catch(() => undefined);
    }
    clearTimeout(calm);
  }
}

/** The delay before another try, doubling from 250 ms to its cap. */
export function delayAfter(failures: number, notYet: boolean): number {
  const capMs = notYet ? LONGEST_NOT_YET_MS : LONGEST_DELAY_MS;
  return Math.min(capMs, FIRST_DELAY_MS * 2 ** Math.max(0, failures - 1));
}

/** True of an error that says nothing but that the other side is not there yet. */
export function isNotYet(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENOENT'];
  for (let one = error; one instanceof Error; one = one.cause) if (codes.includes(codeOf(one) ?? '')) return true;
  return false;
}
