import type { Log } from './log.ts';

/**
 * Runs an agent until it ends by itself, or until systemd (SIGTERM) or a person (SIGINT) stops it. Resolves with the
 * exit code: what `work` resolves with, or 1 after a failure, which is logged.
 */
export async function runUntilTold(work: (signal: AbortSignal) => Promise<number>, log: Log): Promise<number> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  // Not `once`: without a listener, signal-exit (in execa, while a command runs) kills this process.
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    return await work(ended.signal);
  } catch (error) {
    if (ended.signal.aborted) log.info('stopped before it was done; the next run continues from here');
    else log.error('failed', { error });
    return 1;
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
  }
}
