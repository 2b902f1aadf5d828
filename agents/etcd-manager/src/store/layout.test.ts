import { expect, test } from 'vitest';
import { backupName, parseMarker, printBackupMeta, printMarker } from './layout.ts';

const NOW_MS = Date.parse('2018-01-30T01:02:03.456Z');

test('a backup is named as in kops', () => {
  expect(backupName(NOW_MS, 9)).toBe('2018-01-30T01:02:03Z-000009');
});

test('the marker holds nanoseconds for kops, token and members for us', () => {
  const text = printMarker({ token: 'T', members: ['a', 'b'] }, NOW_MS);
  expect(text).toBe('{"timestamp":1517274123456000000,"token":"T","members":["a","b"]}\n');
  expect(parseMarker(text)).toEqual({ token: 'T', members: ['a', 'b'] });
});

test('a marker of kops names neither token nor members', () => {
  expect(parseMarker('{"timestamp":1517274123456000000}')).toEqual({ members: [] });
});

test('the meta file holds what kops knows and nothing else', () => {
  expect(JSON.parse(printBackupMeta({ memberCount: 3, etcdVersion: '3.4.23' }, NOW_MS))).toEqual({
    etcdVersion: '3.4.23',
    timestamp: '1517274123',
    clusterSpec: { memberCount: 3, etcdVersion: '3.4.23' },
  });
});
