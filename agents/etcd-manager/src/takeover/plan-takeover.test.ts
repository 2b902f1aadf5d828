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

test('It begins by itself once most members can take part, and with less never', () => {
  expect(decide({})).toBe('begin: take over the data of etcd 2 of a, b, c by backup and restore');
  expect(decide({ holders: ['a', 'c'] })).toBe('begin: take over the data of etcd 2 of a, c by backup and restore');
  expect(decide({ holders: ['a'] })).toBe(
    'wait: wait for most of a, b, c to show their data of etcd 2: only they together have every acknowledged write, and there is a',
  );
  expect(decide({ members: ['a'], holders: ['a'] })).toMatch(/^begin/);
  expect(decide({ members: ['a', 'b'], holders: ['a'] })).toMatch(/^wait/);
  expect(decide({ members: [], holders: [] })).toMatch(/^wait/);
});

test('It waits for machines that lack the version, and does nothing where the version cannot', () => {
  expect(decide({ unprepared: ['b'] })).toBe('wait: the machines of b have no etcd 3.4.23 yet');
  expect(decide({ etcdVersion: '3.5.16' })).toBe('nothing: etcd 3.5.16 cannot take it over');
});

test('It is begun once: a failure is for a person, unless only members were missing', () => {
  const last = { takesOverEtcd2: true, phase: 'failed' } as const;
  const saved = { ...last, failure: 'restoring: b: no space', safetyBackup: 'B' };
  expect(decide({ last: { ...last, failure: 'saving: a: the log is damaged' } })).toBe(
    'refuse: taking over the data of etcd 2 has failed, and the data is as it was: saving: a: the log is damaged; next: mend that, then remove control/restore.json of this etcd cluster from the store: it is tried again',
  );
  expect(decide({ last: saved })).toContain('`kopsctl etcd restore-backup B --etcd-cluster main --yes`');
  const fewer = { ...last, failure: 'gathering: only a' };
  expect(decide({ last: fewer, lastForMs: 60_000 })).toBe('wait: wait before gathering anew: gathering: only a');
  expect(decide({ last: fewer, lastForMs: 601_000 })).toMatch(/^begin/);
});

test('It does not get in the way of a restore that a person asked for', () => {
  expect(decide({ last: { phase: 'stopping' } })).toBe('nothing: a restore is under way');
  expect(decide({ last: { phase: 'done' } })).toMatch(/^begin/);
});
