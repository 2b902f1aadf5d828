import { expect, test } from 'vitest';
import { backupName } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { planRetention, retentionFrom } from './plan-retention.ts';

const HOUR_MS = 60 * 60_000;
const NOW_MS = Date.parse('2026-06-15T12:30:00Z');
const DEFAULT = retentionFrom([]);

const at = (hoursAgo: number): string => backupName(NOW_MS - hoursAgo * HOUR_MS, 1);

test('all backups of the last hour are kept, then the first of each hour, then the first of each day', () => {
  const names = [at(0.1), at(0.6), at(2.1), at(2.4), at(24 * 8), at(24 * 8 + 1), at(24 * 91)];
  expect(planRetention(names, DEFAULT, NOW_MS)).toEqual([at(24 * 91), at(24 * 8), at(2.1)]);
});

test('a second run removes nothing', () => {
  const names = Array.from({ length: 2000 }, (_, index) => at(index / 4));
  const removed = new Set(planRetention(names, DEFAULT, NOW_MS));
  const rest = names.filter((name) => !removed.has(name));
  expect(rest.length).toBeLessThan(200);
  expect(planRetention(rest, DEFAULT, NOW_MS)).toEqual([]);
});

test('the newest backup is kept however old it is, and other folders are ignored', () => {
  expect(planRetention([at(24 * 400), 'control', 'members'], DEFAULT, NOW_MS)).toEqual([]);
});

test('the retention is set as in kops', () => {
  const env = [
    { name: 'ETCD_MANAGER_HOURLY_BACKUPS_RETENTION', value: '1d' },
    { name: 'ETCD_MANAGER_DAILY_BACKUPS_RETENTION', value: '1y' },
  ];
  expect(retentionFrom(env)).toEqual({ hourlyMs: 24 * HOUR_MS, dailyMs: 365 * 24 * HOUR_MS });
});
