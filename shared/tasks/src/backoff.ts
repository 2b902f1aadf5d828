/** What is merely not there yet is looked at again at least this often: it costs little and delays a boot otherwise. */
const NOT_YET_MAX_MS = 1_000;

export interface BackoffLimits {
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
}

/** How long to wait after the given attempt (from 1): doubled each time, capped, and spread over the upper half. */
export function backoffMs(attempt: number, limits: BackoffLimits, notYet: boolean, random: number): number {
  const capMs = notYet ? Math.min(limits.maxBackoffMs, NOT_YET_MAX_MS) : limits.maxBackoffMs;
  const fullMs = Math.min(capMs, limits.firstBackoffMs * 2 ** (attempt - 1));
  return Math.round(fullMs * (0.5 + random / 2));
}
