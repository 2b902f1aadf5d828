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
  return step.action === 'say' ? `say ${step.state}` : step.action;
};

test('it says that it ends, ends, and says so', () => {
  expect(planned({ record: record('gathering') })).toBe('wait');
  expect(planned({ record: record('stopping') })).toBe('say ending');
  const ending = record('stopping', { 'api-1': 'ending' });
  expect(planned({ record: ending })).toBe('hold');
  expect(planned({ record: ending, hold: 'held' })).toBe('wait');
  expect(planned({ record: ending, hold: 'held', hasEnded: true })).toBe('say ended');
  const ended = record('stopping', { 'api-1': 'ended' });
  expect(planned({ record: ended, hold: 'held', hasEnded: true })).toBe('wait');
});

test('a machine that boots meanwhile keeps its API server from starting', () => {
  for (const phase of ['saving', 'restoring', 'starting'] as const) {
    expect(planned({ record: record(phase) })).toBe('say ending');
    expect(planned({ record: record(phase, { 'api-1': 'ending' }) })).toBe('hold');
    const ended = record(phase, { 'api-1': 'ended' });
    expect(planned({ record: ended, hold: 'held', hasEnded: true })).toBe('wait');
    // nodeup has written the manifest again.
    expect(planned({ record: ended, hold: 'undone' })).toBe('say ending');
  }
});

test('it starts again once etcd serves what was restored, and however the restore has ended', () => {
  const over = RESTORE_PHASES.slice(RESTORE_PHASES.indexOf('finishing'));
  for (const phase of over) {
    expect(planned({ record: record(phase), hold: 'held', hasEnded: true })).toBe('release');
    expect(planned({ record: record(phase), hold: 'undone' })).toBe('release');
    expect(planned({ record: record(phase) })).toBe('nothing');
  }
  expect(planned({ hold: 'held', hasEnded: true })).toBe('release');
  expect(planned({})).toBe('nothing');
});
