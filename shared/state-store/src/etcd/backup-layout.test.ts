import { expect, test } from 'vitest';
import { backupName, backupTimeMs, parseBackupMeta, printBackupMeta } from './backup-layout.ts';

const NOW_MS = Date.parse('2018-01-30T01:02:03.456Z');

test('A backup is named as in kops', () => {
  expect(backupName(NOW_MS, 9)).toBe('2018-01-30T01:02:03Z-000009');
  expect(backupTimeMs('2018-01-30T01:02:03Z-000009')).toBe(Date.parse('2018-01-30T01:02:03Z'));
  for (const other of ['control', '2018-13-30T01:02:03Z-000009', '2018-01-30T01:02:03Z']) {
    expect(backupTimeMs(other)).toBeUndefined();
  }
});

test('The meta file holds what kops knows and nothing else', () => {
  const text = printBackupMeta({ memberCount: 3, etcdVersion: '3.4.23' }, NOW_MS);
  expect(JSON.parse(text)).toEqual({
    etcdVersion: '3.4.23',
    timestamp: '1517274123',
    clusterSpec: { memberCount: 3, etcdVersion: '3.4.23' },
  });
  expect(parseBackupMeta(text).timestamp).toBe(1517274123);
});

test('A meta file of kops is read in each form of protobuf: spelled either way, zeros left out', () => {
  const spec = { memberCount: 1, etcdVersion: '3.4.13' };
  expect(parseBackupMeta(JSON.stringify({ etcdVersion: '3.4.13', clusterSpec: spec }))).toEqual({
    etcdVersion: '3.4.13',
    timestamp: 0,
    clusterSpec: spec,
  });
  const snake = { etcd_version: '2.2.1', timestamp: '5', cluster_spec: { member_count: 3 } };
  expect(parseBackupMeta(JSON.stringify(snake))).toEqual({
    etcdVersion: '2.2.1',
    timestamp: 5,
    clusterSpec: { memberCount: 3, etcdVersion: '2.2.1' },
  });
});
