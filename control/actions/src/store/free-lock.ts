import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { HeldLock } from '@kopsctl/state-store/lock.ts';
import type { LockRecord } from '@kopsctl/state-store/lock-record.ts';
import { type Repeating, repeatPassing } from '../phases/repeat-passing.ts';

interface Freeing extends Repeating {
  readonly path: string;
  readonly storeUrl: string;
}

/**
 * Frees the lock of work that is done, patiently where the store is away. Where that fails, the person is told what becomes of
 * the lock: the work is done all the same, and a lock expires by itself.
 *
 * @param signal aborts the wait when the person interrupts
 */
export async function freeLock(lock: HeldLock, freeing: Freeing, signal: AbortSignal): Promise<void> {
  try {
    await repeatPassing(() => lock.release(), freeing, signal);
  } catch (error) {
    freeing.say(
      leftLock(lock.record, freeing, signal.aborted ? 'interrupted before the state store answered' : messageOf(error)),
    );
  }
}

function leftLock({ expiresMs, process }: LockRecord, { path, storeUrl }: Freeing, why: string): string {
  const ends = new Date(expiresMs).toISOString();
  const here = process === undefined ? '' : '; on this computer, it does not block anyone once this process has ended';
  return `The work is done, but its lock ${path} in ${storeUrl} could not be released (${why}). It expires by itself at ${ends}${here}`;
}
