import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import { etcdFailures } from './plan-etcd-health.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const status = (member: string, changes: Partial<MemberStatus> = {}): MemberStatus => ({
  member,
  address: '10.0.0.1',
  updatedAt: '2026-11-21T11:59:45Z',
  decision: 'nothing: serving',
  isLeader: member === 'a',
  wantedVersion: '3.6.1',
  etcd: {
    memberId: member,
    version: '3.6.1',
    leaderId: 'a',
    revision: 1,
    dbSizeBytes: 1,
    alarms: [],
    isLearner: false,
  },
  ...changes,
});
const told = (...statuses: readonly MemberStatus[]) =>
  etcdFailures([{ name: 'main', members: ['a', 'b', 'c'], statuses }], NOW).map(
    ({ name, message }) => `${name}: ${message}`,
  );

const answering = status('a').etcd;
if (answering === undefined) throw new Error('a member that answers says so');
const { leaderId: _leader, ...leaderless } = answering;
const { etcd: _etcd, ...silent } = status('b', { decision: 'wait: for a majority' });

test('members that answer and know a leader are well', () => {
  expect(told(status('a'), status('b'), status('c'))).toEqual([]);
});

test('a member that is missing, silent or without an etcd that answers is told', () => {
  expect(told(status('a'), silent, status('c', { updatedAt: '2026-11-21T11:50:00Z' }))).toEqual([
    'main/b: does not answer; its manager says "wait: for a majority"',
    'main/c: its manager was last heard at 2026-11-21T11:50:00Z',
  ]);
  expect(told(status('a'), status('b'))).toEqual(['main/c: its manager has never written its status']);
});

test('members of which none knows a leader have no quorum', () => {
  expect(told(status('a', { etcd: leaderless }), silent, status('c', { updatedAt: 'never' }))[0]).toMatch(
    /^main: has no quorum: 1 of 3 members answer/,
  );
});

test('what was said long ago proves no quorum', () => {
  const long = { updatedAt: '2026-11-21T11:00:00Z' };
  expect(told(status('a', long), status('b', long), status('c', long))[0]).toMatch(/^main: has no quorum: 0 of 3/);
});

test('an alarm, a learner and a disk that takes no writes are told', () => {
  expect(
    told(
      status('a', { etcd: { ...answering, alarms: ['NOSPACE'] } }),
      status('b', { etcd: { ...answering, isLearner: true } }),
      status('c', { problem: 'its disk takes no writes (EROFS)' }),
    ),
  ).toEqual([
    'main/a: has raised NOSPACE',
    'main/b: is still learning, and has no vote',
    'main/c: its disk takes no writes (EROFS)',
  ]);
});

test('a member that the spec no longer has is not missed, and proves nothing', () => {
  expect(told(status('a'), status('b'), status('c'), { ...silent, member: 'd' })).toEqual([]);
});

test('members that machines of kops serve are not missed, and prove a quorum', () => {
  const mixed = { name: 'main', members: ['a', 'b', 'c'], servedByKops: ['b', 'c'] };
  expect(etcdFailures([{ ...mixed, statuses: [status('a')] }], NOW)).toEqual([]);
  // A cluster that was given back to kops: what was written last is old.
  const long = status('b', { updatedAt: '2026-11-21T11:00:00Z' });
  expect(etcdFailures([{ ...mixed, servedByKops: ['a', 'b', 'c'], statuses: [long] }], NOW)).toEqual([]);
});

test('a cluster whose managers publish nothing, as those of kops, is not said to be ill', () => {
  expect(told()).toEqual([]);
});
