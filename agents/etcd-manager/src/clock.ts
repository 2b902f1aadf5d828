import { setTimeout as sleep } from 'node:timers/promises';

/** The time of a machine. The simulation has one of its own. */
export interface Clock {
  /** The monotonic clock, on which decisions are based. */
  nowMs(): number;
  /** The wall clock, for people and for names of backups. */
  wallMs(): number;
  /** Aborts after this time. */
  after(ms: number): AbortSignal;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const machineClock: Clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  after: (ms) => AbortSignal.timeout(ms),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
};
