import { expect, test } from 'vitest';
import { RESTORE_PHASES, type RestorePhase, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { type ObservedApiServer, planApiServer } from './plan-api-server.ts';

const record = (phase: RestorePhase, apiServers?: RestoreRecord['apiServers']): RestoreRecord => ({
  id: 'R',
  reason: 'restoring B',
  etcdVersion: '3.4.23',
  token: 'T',
  phase,
  since: '2026-11-21T12:00:00Z',
  members: ['a'],
  acknowledged: [],
  ...(apiServers && { apiServers }),
});
const planned = (observed: Partial<ObservedApiServer>) => {
  const step = planApiServer('api-1', { hold: 'none', hasEnded: false, ...observed });
  return step.action === 'report' ? `report ${step.state}` : step.action;
};

test('it reports that it is ending, ends, and reports that it has ended', () => {
  expect(planned({ record: record('gathering') })).toBe('wait');
  expect(planned({ record: record('stopping') })).toBe('report ending');
  const ending = record('stopping', { 'api-1': 'ending' });
  expect(planned({ record: ending })).toBe('hold');
  expect(planned({ record: ending, hold: 'held' })).toBe('wait');
  expect(planned({ record: ending, hold: 'held', hasEnded: true })).toBe('report ended');
  const ended = record('stopping', { 'api-1': 'ended' });
  expect(planned({ record: ended, hold: 'held', hasEnded: true })).toBe('wait');
});

test('on a machine that boots during a restore the API server does not start', () => {
  for (const phase of ['saving', 'restoring', 'starting'] as const) {
    expect(planned({ record: record(phase) })).toBe('report ending');
    expect(planned({ record: record(phase, { 'api-1': 'ending' }) })).toBe('hold');
    const ended = record(phase, { 'api-1': 'ended' });
    expect(planned({ record: ended, hold: 'held', hasEnded: true })).toBe('wait');
    // nodeup has written the manifest again at the boot.
    expect(planned({ record: ended, hold: 'undone' })).toBe('report ending');
  }
});

test('it stays stopped while a restore begins in the place of one that was stuck', () => {
  expect(planned({ record: record('gathering'), hold: 'held', hasEnded: true })).toBe('wait');
});

test('it starts again once etcd serves the restored data, and after any end of the restore', () => {
  const over = RESTORE_PHASES.slice(RESTORE_PHASES.indexOf('finishing'));
  for (const phase of over) {
    expect(planned({ record: record(phase), hold: 'held', hasEnded: true })).toBe('release');
    expect(planned({ record: record(phase), hold: 'undone' })).toBe('release');
    expect(planned({ record: record(phase) })).toBe('nothing');
  }
  expect(planned({ hold: 'held', hasEnded: true })).toBe('release');
  expect(planned({})).toBe('nothing');
});
