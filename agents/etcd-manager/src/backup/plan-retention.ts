import { backupTimeMs } from '@kopsctl/state-store/etcd/backup-layout.ts';

/** How long to keep backups, as kops's etcd-manager does: all of the last hour, then one per hour, then one per day. */
export interface Retention {
  readonly hourlyMs: number;
  readonly dailyMs: number;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** kops sets 90 days for the daily ones (pkg/model/components/etcdmanager/options.go). */
const DEFAULT: Retention = { hourlyMs: 7 * DAY_MS, dailyMs: 90 * DAY_MS };

/** Which of these backups to remove, oldest first. Names that are not backups are ignored; the newest backup is always kept. */
export function planRetention(names: readonly string[], retention: Retention, nowMs: number): readonly string[] {
  const backups = names
    .flatMap((name) => {
      const madeMs = backupTimeMs(name);
      return madeMs === undefined ? [] : [{ name, madeMs }];
    })
    .sort((a, b) => a.madeMs - b.madeMs || (a.name < b.name ? -1 : 1));
  const taken = new Set<string>();
  return backups
    .filter(({ madeMs }, index) => {
      if (index === backups.length - 1) return false;
      const slot = slotOf(madeMs, nowMs - madeMs, retention);
      // The first backup of an hour or day is kept, so a later one never replaces it.
      if (slot === undefined || taken.has(slot)) return slot !== 'all';
      taken.add(slot);
      return false;
    })
    .map(({ name }) => name);
}

/** The hour or day that a backup represents; `all` if it is kept anyway; undefined if it is too old. */
function slotOf(madeMs: number, ageMs: number, { hourlyMs, dailyMs }: Retention): string | undefined {
  if (ageMs < HOUR_MS) return 'all';
  if (ageMs < hourlyMs) return `hour ${Math.floor(madeMs / HOUR_MS)}`;
  if (ageMs < dailyMs) return `day ${Math.floor(madeMs / DAY_MS)}`;
  return undefined;
}

/** The retention from the manager's environment, as in kops: `ETCD_MANAGER_{HOURLY,DAILY}_BACKUPS_RETENTION`, e.g. 30d, 1y, 36h. */
export function retentionFrom(env: readonly { readonly name: string; readonly value: string }[]): Retention {
  const read = (name: string, otherwise: number): number => {
    const value = env.find((one) => one.name === `ETCD_MANAGER_${name}_BACKUPS_RETENTION`)?.value;
    return (value === undefined ? undefined : durationMs(value)) ?? otherwise;
  };
  return { hourlyMs: read('HOURLY', DEFAULT.hourlyMs), dailyMs: read('DAILY', DEFAULT.dailyMs) };
}

const UNIT_MS = { h: HOUR_MS, d: DAY_MS, y: 365 * DAY_MS } as const;

function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d+)([hdy])$/.exec(text) ?? [];
  if (count === undefined || (unit !== 'h' && unit !== 'd' && unit !== 'y')) return undefined;
  return Number(count) * UNIT_MS[unit];
}
