import { array, assert, boolean, constantFrom, double, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { backupName } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { planRetention, retentionFrom, type RetainedBackup } from './plan-retention.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.parse('2026-06-15T12:30:00Z');
const DEFAULT = retentionFrom([]);
const NOTHING_IN_USE = new Set<string>();

type More = Partial<Omit<RetainedBackup, 'name'>>;

/** A backup of some hours ago, by a clock that is right. */
function ago(hours: number, more: More = {}): RetainedBackup {
  const madeMs = NOW_MS - hours * HOUR_MS;
  return { name: backupName(madeMs, 1), storedMs: madeMs, reason: 'scheduled', ...more };
}

const plan = (backups: readonly RetainedBackup[], inUse: ReadonlySet<string> = NOTHING_IN_USE): readonly string[] =>
  planRetention(backups, DEFAULT, { inUse, intervalMs: HOUR_MS / 4 });

/** What is left once retention has nothing more to remove. */
function settled(backups: readonly RetainedBackup[], inUse?: ReadonlySet<string>): readonly string[] {
  for (let rest = backups; ;) {
    const removed = plan(rest, inUse);
    if (removed.length === 0) return rest.map(({ name }) => name).sort();
    rest = rest.filter(({ name }) => !removed.includes(name));
  }
}

/** A backup every quarter of an hour. */
const quarters = (hours: number): RetainedBackup[] => Array.from({ length: hours * 4 }, (_, index) => ago(index / 4));

test('all backups of the last hour are kept, then the first of each hour, then the first of each day', () => {
  const all = [...quarters(4), ...Array.from({ length: 24 * 25 }, (_, index) => ago(4 + index / 2))];
  const rest = new Set(settled(all));
  const kept = all.filter(({ name }) => rest.has(name));
  const within = (from: number, to: number): number =>
    kept.filter(({ storedMs }) => NOW_MS - storedMs >= from && NOW_MS - storedMs < to).length;
  expect(within(0, HOUR_MS)).toBe(4);
  // The first backup of the current hour is not an hour old.
  expect(within(HOUR_MS, 7 * DAY_MS)).toBe(7 * 24 - 1);
  expect(within(8 * DAY_MS, 12 * DAY_MS)).toBe(4);
  expect(kept.filter(({ storedMs }) => NOW_MS - storedMs > HOUR_MS && storedMs % HOUR_MS !== 0)).toEqual([]);
});

test('backups that are older than the retention are removed', () => {
  const all = Array.from({ length: 95 * 12 }, (_, index) => ago(2 * index));
  const rest = settled(all);
  expect(all.filter(({ storedMs, name }) => NOW_MS - storedMs > 90 * DAY_MS && rest.includes(name))).toEqual([]);
});

test('a round removes ten at most, the oldest first', () => {
  const removed = plan(quarters(48));
  expect(removed).toHaveLength(10);
  expect(removed).toEqual([...removed].sort());
});

test.each(['requested', 'before: remove c', 'before restoring B'])(
  'a backup that was taken for a reason is kept beside those of the schedule: %s',
  (reason) => {
    const first = ago(2.5);
    const asked = ago(2.2, { reason });
    expect(settled([first, asked, ago(2.1), ago(0)])).toEqual([first.name, asked.name, ago(0).name].sort());
  },
);

test('of backups that were taken for a reason, a hundred are kept for their own sake', () => {
  const many = Array.from({ length: 300 }, (_, index) => ago(2 + index / 300, { reason: 'before: add c' })).map(
    (backup, index) => ({ ...backup, name: backupName(backup.storedMs, index) }),
  );
  expect(settled([...many, ago(0)]).length).toBeLessThan(105);
});

test('a backup that a restore uses is kept, however old it is', () => {
  const all = [ago(2.5), ago(2.3), ago(0)];
  const [, thinned] = all;
  expect(settled(all)).not.toContain(thinned?.name);
  expect(settled(all, new Set([thinned?.name ?? '']))).toContain(thinned?.name);
});

test('a backup that was proven stands for its hour, and one that was proven bad does not', () => {
  const [bad, unproven, good] = [ago(2.5, { proof: 'bad' }), ago(2.3), ago(2.1, { proof: 'good' })];
  expect(settled([bad, unproven, good, ago(0)])).toEqual([good.name, ago(0).name]);
  expect(settled([bad, unproven, ago(0)])).toEqual([unproven.name, ago(0).name]);
});

test('the last three proven backups are kept, however old they are', () => {
  const proven = [91, 91.1, 91.2, 91.3].map((days) => ago(24 * days, { proof: 'good' }));
  const rest = settled([...proven, ...Array.from({ length: 91 * 12 }, (_, index) => ago(2 * index))]);
  expect(proven.map(({ name }) => rest.includes(name))).toEqual([true, true, true, false]);
});

test('a clock that is a hundred days ahead or behind removes nothing that a right one would keep', () => {
  const before = Array.from({ length: 60 }, (_, index) => ago(index + 1));
  for (const days of [100, -100]) {
    const wrong = ago(-24 * days);
    expect(settled([...before, wrong])).toHaveLength(61);
    // The next leader has a right clock again, and a quarter of an hour later another backup is due.
    expect(settled([...before, wrong, ago(0)])).toHaveLength(62);
  }
});

test('the time without backups does not make a backup older', () => {
  const before = Array.from({ length: 60 }, (_, index) => ago(24 * 365 + index));
  expect(settled([...before, ago(0)])).toHaveLength(61);
});

test('the newest backup is kept however old it is, and other folders are ignored', () => {
  const others = ['control', 'members'].map((name) => ({ name, storedMs: NOW_MS }));
  expect(plan([ago(24 * 400), ...others])).toEqual([]);
});

const backups = array(
  record({
    hours: oneof(double({ min: 0, max: 3, noNaN: true }), double({ min: 0, max: 24 * 120, noNaN: true })),
    clockHours: constantFrom(0, 0, 0, 2400, -2400),
    reason: constantFrom('scheduled', 'scheduled', 'requested', undefined),
    proof: constantFrom('good' as const, 'bad' as const, undefined),
    isUsed: boolean(),
  }),
  { minLength: 1, maxLength: 60 },
).map((rows) =>
  rows.map(({ hours, clockHours, reason, proof, isUsed }, index) => {
    const storedMs = NOW_MS - hours * HOUR_MS;
    const name = backupName(storedMs + clockHours * HOUR_MS, index);
    return { name, storedMs, isUsed, ...(reason && { reason }), ...(proof && { proof }) };
  }),
);

test('whatever backups there are: those in use, the newest, and the last three proven ones survive', () => {
  assert(
    property(backups, (all) => {
      const inUse = new Set(all.filter(({ isUsed }) => isUsed).map(({ name }) => name));
      const rest = settled(all, inUse);
      const byAge = all.toSorted((a, b) => b.storedMs - a.storedMs || (a.name < b.name ? 1 : -1));
      const proven = byAge.filter(({ proof }) => proof === 'good').slice(0, 3);
      for (const { name } of [...proven, ...byAge.slice(0, 1)]) expect(rest).toContain(name);
      for (const name of inUse) expect(rest).toContain(name);
    }),
  );
});

test('the retention is set as in kops', () => {
  const env = [
    { name: 'ETCD_MANAGER_HOURLY_BACKUPS_RETENTION', value: '1d' },
    { name: 'ETCD_MANAGER_DAILY_BACKUPS_RETENTION', value: '1y' },
  ];
  expect(retentionFrom(env)).toEqual({ hourlyMs: 24 * HOUR_MS, dailyMs: 365 * 24 * HOUR_MS });
});
