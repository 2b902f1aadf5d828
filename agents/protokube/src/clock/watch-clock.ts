import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import type { StateBoard } from '../state/state-board.ts';

/** Asking starts a service of systemd. */
const EVERY_MS = 5 * 60_000;

export interface ClockEnv {
  readonly board: StateBoard;
  /** Whether the clock follows a time service; undefined where the operating system does not say. */
  readonly isClockSynchronized: (signal: AbortSignal) => Promise<boolean | undefined>;
}

/** Tells whether the clock of this machine follows a time service. */
export async function watchClock({ board, isClockSynchronized }: ClockEnv, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isSynchronized = await isClockSynchronized(signal);
    if (isSynchronized !== undefined) board.clock({ isSynchronized });
    await sleep(EVERY_MS, undefined, { signal });
  }
}

/** What adjtimex(2) says, whichever time service sets it: timedated reads it there. Minimal images lack timedated. */
export async function isClockSynchronized(signal: AbortSignal): Promise<boolean | undefined> {
  const asked = ['show', '--property=NTPSynchronized', '--value'];
  const { exitCode, stdout } = await execa('timedatectl', asked, { cancelSignal: signal, reject: false });
  signal.throwIfAborted();
  return exitCode === 0 && /^(?:yes|no)$/.test(stdout) ? stdout === 'yes' : undefined;
}
