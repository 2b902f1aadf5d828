import { setTimeout as pause } from 'node:timers/promises';
import { throwIfLockLost } from '@kopsctl/state-store/lock.ts';
import type { RunResult } from '@kopsctl/tasks/run-result.ts';
import type { Remains } from './find-remains.ts';

/** How often deleting is tried again. */
export interface Patience {
  /** How long in all. */
  readonly waitMs: number;
  /** The least time between two tries. */
  readonly intervalMs: number;
  /** After this many tries in a row that deleted nothing, no more are made. */
  readonly count: number;
}

/**
 * Deletes what is left of a cluster. Resolves with what failed in the end: some things can go only once others are gone.
 * @throws LockLostError where that ended it
 */
export async function emptyPatiently(
  { empty }: Pick<Remains, 'empty'>,
  { waitMs, intervalMs, count }: Patience = { waitMs: 0, intervalMs: 0, count: 1 },
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  const untilMs = Date.now() + waitMs;
  let idle = 0;
  for (;;) {
    const failed = await empty(signal);
    if (failed?.cancelled === true) throwIfLockLost(signal);
    if (failed === undefined || failed.cancelled) return failed;
    idle = failed.changed > 0 ? 0 : idle + 1;
    if (idle >= count || Date.now() + intervalMs >= untilMs) return failed;
    await pause(intervalMs, undefined, { signal });
  }
}
