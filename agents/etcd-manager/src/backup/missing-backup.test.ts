import { expect, test } from 'vitest';
import { isBackupMissing } from './missing-backup.ts';

const PATH = 'demo/backups/etcd/main';
const MINUTE_MS = 60_000;
const entry = (path: string, minutes: number) => ({
  path: `${PATH}/${path}`,
  size: 1,
  modifiedMs: minutes * MINUTE_MS,
  version: '1',
});
const backup = (name: string, minutes: number) => [
  entry(`${name}/etcd.backup.gz`, minutes - 1),
  entry(`${name}/_etcd_backup.meta`, minutes),
];
const MARKER = entry('control/etcd-cluster-created', 0);
const LEASE = entry('control/leader', 100);

test.each([
  ['a backup that was stored in this time', [MARKER, ...backup('2026-06-15T12:00:00Z-000000', 85), LEASE], false],
  ['only an older one', [MARKER, ...backup('2026-06-15T12:00:00Z-000000', 84), LEASE], true],
  // The clock of the machine that took the older one was ahead.
  [
    'an older one with a later name',
    [MARKER, ...backup('2027-06-15T12:00:00Z-000000', 20), ...backup('2026-06-15T12:00:00Z-000000', 90), LEASE],
    false,
  ],
  ['an unfinished one', [MARKER, entry('2026-06-15T12:00:00Z-000000/etcd.backup.gz', 99), LEASE], true],
  ['none, in a cluster that was formed in this time', [{ ...MARKER, modifiedMs: 90 * MINUTE_MS }, LEASE], false],
  ['nothing, before a cluster is formed', [LEASE], false],
])('with %s, whether a backup is missing: %#', (_, entries, isMissing) => {
  expect(isBackupMissing(entries, PATH, 15 * MINUTE_MS)).toBe(isMissing);
});
