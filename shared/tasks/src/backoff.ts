/** A task that waits for something is tried again at least this often: a try costs little, and a longer pause delays a boot. */
const NOT_YET_MAX_MS = 1_000;

export interface BackoffLimits {
  readonly firstBackoffMs: number;
  readonly maxBackoffMs: number;
}

/** How long to wait after the given attempt (from 1): doubled each time, capped, and at random between half and all of that. */
export function backoffMs(attempt: number, limits: BackoffLimits, notYet: boolean, random: number): number {
  const capMs = notYet ? Math.min(limits.maxBackoffMs, NOT_YET_MAX_MS) : limits.maxBackoffMs;
  const fullMs = Math.min(capMs, limits.firstBackoffMs * 2 ** (attempt - 1));
  return Math.round(fullMs * (0.5 + random / 2));
}
