import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from './log.ts';

/**
 * Runs an agent until it ends or systemd (SIGTERM) or a person (SIGINT) tells it to. A failure is logged with what to
 * do next. Resolves with the exit code: what `work` resolves with, or 1.
 */
export async function runUntilTold(work: (signal: AbortSignal) => Promise<number>, log: Log): Promise<number> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  try {
    return await work(ended.signal);
  } catch (error) {
    if (ended.signal.aborted) log.info('told to end before it was done; the next run goes on from here');
    else log.error(`${messageOf(error)}${error instanceof ActionableError ? `; next: ${error.next}` : ''}`);
    return 1;
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
  }
}
