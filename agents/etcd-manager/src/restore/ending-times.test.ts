import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { expect, test } from 'vitest';
import { EndingTimes } from './ending-times.ts';

const record = (apiServers: RestoreRecord['apiServers'] = {}, token = 'T'): RestoreRecord => ({
  id: 'R',
  reason: 'restoring B',
  etcdVersion: '3.5.16',
  token,
  phase: 'restoring',
  since: '2026-11-21T12:00:00Z',
  members: ['a'],
  acknowledged: [],
  apiServers,
});

test('the time of each API server begins when it is first seen to end, and again when it ends again', () => {
  const times = new EndingTimes();
  expect(times.measure(record(), 1000)).toEqual({});
  expect(times.measure(record({ 'api-1': 'ending' }), 2000)).toEqual({ 'api-1': 0 });
  expect(times.measure(record({ 'api-1': 'ending', 'api-2': 'ending' }), 5000)).toEqual({ 'api-1': 3000, 'api-2': 0 });
  expect(times.measure(record({ 'api-1': 'ended', 'api-2': 'ending' }), 6000)).toEqual({ 'api-2': 1000 });
  expect(times.measure(record({ 'api-1': 'ending', 'api-2': 'ending' }), 7000)).toEqual({ 'api-1': 0, 'api-2': 2000 });
});

test('the time begins again with another restore', () => {
  const times = new EndingTimes();
  times.measure(record({ 'api-1': 'ending' }), 0);
  expect(times.measure(record({ 'api-1': 'ending' }, 'U'), 9000)).toEqual({ 'api-1': 0 });
});
