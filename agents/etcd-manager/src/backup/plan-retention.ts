import { BACKUP_RETENTION_DAYS } from '@kopsctl/spec/etcd-defaults.ts';
import { backupTimeMs } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { managerVariable } from '../manager-variable.ts';

/** How long to keep backups, as kops's etcd-manager does: all of the last hour, then one per hour, then one per day. */
export interface Retention {
  readonly hourlyMs: number;
  readonly dailyMs: number;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

const DEFAULT: Retention = { hourlyMs: 7 * DAY_MS, dailyMs: BACKUP_RETENTION_DAYS * DAY_MS };

/** A backup, as far as retention is concerned. */
export interface RetainedBackup {
  readonly name: string;
  /** When the store received it, by the store's clock. */
  readonly storedMs: number;
  /** Why it was taken; absent from a backup of kops. */
  readonly reason?: string;
  /** What its verification found; absent if it was not verified. */
  readonly proof?: 'good' | 'bad';
}

/** More would come from a wrong clock or a mistake in the settings, and this leaves time to notice it. */
const MOST_PER_ROUND = 10;
/** The last proven backups are kept however old they are: they may be the only way back. */
const PROVEN = 3;
/** Backups taken for a reason that are kept for their own sake. A change that is tried again and again must not fill the store. */
const RESERVED = 100;

/**
 * Which of these backups to remove now, oldest first. Names that are not backups are ignored.
 *
 * - All of the last hour are kept, then one of each hour, then one of each day. A proven backup stands for its hour or day
 *   rather than an unproven one, and either rather than one that was proven bad; among equals the first.
 * - A backup that was not taken by the schedule (before a change, before a restore, on request) is kept beside those.
 * - The newest backup, the last proven ones, and the backups that a restore uses are always kept.
 * - A backup grows older only by the time during which backups were taken. So neither a clock that is wrong, on whichever
 *   machine, nor a cluster that was off for months removes anything.
 *
 * @param inUse backups that a restore needs, or has made as its way back
 * @param intervalMs how often backups are taken
 */
export function planRetention(
  all: readonly RetainedBackup[],
  retention: Retention,
  { inUse, intervalMs }: { readonly inUse: ReadonlySet<string>; readonly intervalMs: number },
): readonly string[] {
  const backups = aged(all, Math.max(2 * intervalMs, 2 * HOUR_MS));
  const newestFirst = backups.toReversed();
  const proven = newestFirst.filter(({ proof }) => proof === 'good').slice(0, PROVEN);
  const reserved = newestFirst.filter((backup) => isReserved(backup) && backup.ageMs < retention.dailyMs);
  const kept = new Set([...newestFirst.slice(0, 1), ...proven, ...reserved.slice(0, RESERVED)].map(({ name }) => name));
  const slots = new Map<string, AgedBackup>();
  for (const backup of backups) {
    const slot = kept.has(backup.name) && isReserved(backup) ? undefined : slotOf(backup, retention);
    const holder = slot === undefined ? undefined : slots.get(slot);
    // The first backup of an hour or day is kept, so a later one that is no better never replaces it.
    if (slot !== undefined && (holder === undefined || rank(backup) < rank(holder))) slots.set(slot, backup);
  }
  for (const { name } of slots.values()) kept.add(name);
  const isKept = ({ name, ageMs }: AgedBackup): boolean => ageMs < HOUR_MS || kept.has(name) || inUse.has(name);
  return backups
    .filter((backup) => !isKept(backup))
    .slice(0, MOST_PER_ROUND)
    .map(({ name }) => name);
}

interface AgedBackup extends RetainedBackup {
  /** The time in the name, by the clock of the machine that took it. */
  readonly madeMs: number;
  readonly ageMs: number;
}

/** The backups in the order in which the store received them, with their age. */
function aged(all: readonly RetainedBackup[], longestGapMs: number): readonly AgedBackup[] {
  const backups = all
    .flatMap((backup) => {
      const madeMs = backupTimeMs(backup.name);
      return madeMs === undefined ? [] : [{ ...backup, madeMs }];
    })
    .toSorted((a, b) => a.storedMs - b.storedMs || (a.name < b.name ? -1 : 1));
  let ageMs = 0;
  let laterMs: number | undefined;
  const newestFirst: AgedBackup[] = [];
  for (const backup of backups.toReversed()) {
    ageMs += Math.min((laterMs ?? backup.storedMs) - backup.storedMs, longestGapMs);
    laterMs = backup.storedMs;
    newestFirst.push({ ...backup, ageMs });
  }
  return newestFirst.toReversed();
}

/** kops does not say why it took a backup, and nearly all of its backups are scheduled. */
function isReserved({ reason = 'scheduled' }: RetainedBackup): boolean {
  return reason !== 'scheduled';
}

function rank({ proof }: RetainedBackup): number {
  return proof === 'good' ? 0 : proof === undefined ? 1 : 2;
}

/** The hour or day that a backup can stand for; undefined if it is too old. */
function slotOf({ madeMs, ageMs }: AgedBackup, { hourlyMs, dailyMs }: Retention): string | undefined {
  if (ageMs < hourlyMs) return `hour ${Math.floor(madeMs / HOUR_MS)}`;
  if (ageMs < dailyMs) return `day ${Math.floor(madeMs / DAY_MS)}`;
  return undefined;
}

/** The retention from the manager's environment, as in kops: `ETCD_MANAGER_{HOURLY,DAILY}_BACKUPS_RETENTION`, e.g. 30d, 1y, 36h. */
export function retentionFrom(env: readonly { readonly name: string; readonly value: string }[]): Retention {
  const read = (name: string, otherwise: number): number => {
    const value = managerVariable(env, `ETCD_MANAGER_${name}_BACKUPS_RETENTION`);
    return (value === undefined ? undefined : retentionMs(value)) ?? otherwise;
  };
  return { hourlyMs: read('HOURLY', DEFAULT.hourlyMs), dailyMs: read('DAILY', DEFAULT.dailyMs) };
}

const UNIT_MS = { h: HOUR_MS, d: DAY_MS, y: 365 * DAY_MS } as const;

function retentionMs(text: string): number | undefined {
  const [, count, unit] = /^(\d+)([hdy])$/.exec(text) ?? [];
  if (count === undefined || (unit !== 'h' && unit !== 'd' && unit !== 'y')) return undefined;
  return Number(count) * UNIT_MS[unit];
}
