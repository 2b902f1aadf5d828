const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** kops's etcd-manager backs up every 15 minutes (`backupInterval` of the etcd cluster's manager). */
const DEFAULT_MS = 15 * MINUTE_MS;

/** How often to back up: kops's setting in the environment of the manager, e.g. `1h`, `90m`, `1h30m`, or 15 minutes. */
export function backupIntervalMs(env: readonly { readonly name: string; readonly value: string }[]): number {
  const value = env.find(({ name }) => name === 'ETCD_MANAGER_BACKUP_INTERVAL')?.value;
  return (value === undefined ? undefined : goDurationMs(value)) ?? DEFAULT_MS;
}

/**
 * The schedule in cron's form that comes closest and is not slower: cron knows only what divides an hour or a day. It
 * keeps to the clock, so that the machines of a cluster, of which another one may lead at any time, mean the same moments.
 */
export function cronOf(intervalMs: number): string {
  const minutes = Math.max(1, Math.floor(intervalMs / MINUTE_MS));
  if (minutes < 60) return `*/${divisor(60, minutes)} * * * *`;
  return `0 */${divisor(24, Math.floor(intervalMs / HOUR_MS))} * * *`;
}

function divisor(whole: number, atMost: number): number {
  for (let step = Math.min(atMost, whole - 1); step > 1; step -= 1) if (whole % step === 0) return step;
  return 1;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, m: MINUTE_MS, s: 1000 };

/** A duration as Go writes it. */
function goDurationMs(text: string): number | undefined {
  if (!/^(\d+[hms])+$/.test(text)) return undefined;
  const ms = [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * (UNIT_MS[unit ?? ''] ?? 0),
    0,
  );
  return ms > 0 ? ms : undefined;
}
