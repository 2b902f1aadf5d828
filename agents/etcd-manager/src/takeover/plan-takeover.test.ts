import { expect, test } from 'vitest';
import { planTakeover, type ObservedTakeover } from './plan-takeover.ts';

const ALL: ObservedTakeover = {
  etcdCluster: 'main',
  etcdVersion: '3.4.23',
  members: ['a', 'b', 'c'],
  holders: ['a', 'b', 'c'],
  unprepared: [],
  lastForMs: 0,
};

const decide = (change: Partial<ObservedTakeover>): string => {
  const step = planTakeover({ ...ALL, ...change });
  return step.action === 'refuse' ? `refuse: ${step.summary}; next: ${step.next}` : `${step.action}: ${step.summary}`;
};

test('A takeover begins by itself once most members can take part, and never with fewer', () => {
  expect(decide({})).toBe('begin: convert the etcd 2 data of a, b, c by backup and restore');
  expect(decide({ holders: ['a', 'c'] })).toBe('begin: convert the etcd 2 data of a, c by backup and restore');
  expect(decide({ holders: ['a'] })).toBe(
    'wait: wait for a majority of a, b, c to report their etcd 2 data, because only a majority has every acknowledged write; so far: a',
  );
  expect(decide({ members: ['a'], holders: ['a'] })).toMatch(/^begin/);
  expect(decide({ members: ['a', 'b'], holders: ['a'] })).toMatch(/^wait/);
  expect(decide({ members: [], holders: [] })).toMatch(/^wait/);
});

test('A takeover waits for machines that lack the version, and does nothing if the version cannot convert the data', () => {
  expect(decide({ unprepared: ['b'] })).toBe('wait: wait for the machines of b to get etcd 3.4.23');
  expect(decide({ etcdVersion: '3.5.16' })).toBe('nothing: etcd 3.5.16 cannot convert data of etcd 2');
});

test('A takeover is tried once: after a failure a person decides, unless only members were missing', () => {
  const last = { takesOverEtcd2: true, phase: 'failed' } as const;
  const saved = { ...last, failure: 'restoring: b: no space', safetyBackup: 'B' };
  expect(decide({ last: { ...last, failure: 'saving: a: the log is damaged' } })).toBe(
    'refuse: converting the etcd 2 data has failed and has not changed it: saving: a: the log is damaged; next: fix the cause, then remove control/restore.json of this etcd cluster from the store, which starts another attempt',
  );
  expect(decide({ last: saved })).toContain('`kopsctl etcd restore-backup B --etcd-cluster main --yes`');
  const fewer = { ...last, failure: 'gathering: only a' };
  expect(decide({ last: fewer, lastForMs: 60_000 })).toBe('wait: wait before the next attempt: gathering: only a');
  expect(decide({ last: fewer, lastForMs: 601_000 })).toMatch(/^begin/);
});

test('A takeover does not interfere with a restore that a person asked for', () => {
  expect(decide({ last: { phase: 'stopping' } })).toBe('nothing: a restore is under way');
  expect(decide({ last: { phase: 'done' } })).toMatch(/^begin/);
});
