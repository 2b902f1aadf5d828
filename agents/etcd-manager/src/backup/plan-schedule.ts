import { parseDurationMs } from '@kopsctl/spec/duration.ts';
import { BACKUP_INTERVAL_MINUTES, BACKUP_INTERVAL_VARIABLE } from '@kopsctl/spec/etcd-defaults.ts';
import { managerVariable } from '../manager-variable.ts';

const MINUTE_MS = 60_000;
/** Cron cannot express longer intervals. */
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How often to back up, at least once a day, from the manager's environment as in kops, e.g. `1h`, `90m`, `1h30m`. */
export function backupIntervalMs(env: readonly { readonly name: string; readonly value: string }[]): number {
  const value = managerVariable(env, BACKUP_INTERVAL_VARIABLE);
  const intervalMs = Math.max(0, parseDurationMs(value ?? '') ?? 0) || BACKUP_INTERVAL_MINUTES * MINUTE_MS;
  return Math.min(intervalMs, DAY_MS);
}

/**
 * The cron schedule that is closest to the interval and not less frequent. Cron can only express divisors of an hour or a
 * day. A schedule by the clock has the same moments on all machines, whichever of them leads.
 */
export function cronOf(intervalMs: number): string {
  const minutes = Math.max(1, Math.floor(intervalMs / MINUTE_MS));
  if (minutes < 60) return `*/${divisor(60, minutes)} * * * *`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `0 */${divisor(24, hours)} * * *` : '0 0 * * *';
}

function divisor(whole: number, atMost: number): number {
  for (let step = atMost; step > 1; step -= 1) if (whole % step === 0) return step;
  return 1;
}
