import type { FleetMachine } from '@kopsctl/model/fleet.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import { etcdHealth, quorumFault } from './etcd-quorum.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const ADDRESSES: Readonly<Record<string, string>> = {
  a: '10.0.0.1',
  b: '10.0.0.2',
  c: '10.0.0.3',
  d: '10.0.0.4',
  e: '10.0.0.5',
};

const machine = (name: string): FleetMachine => ({
  id: name,
  name,
  nodeName: name,
  instanceGroup: `control-plane-${name}`,
  role: 'ControlPlane',
  address: ADDRESSES[name] ?? '',
  running: true,
  launchedMs: NOW - 3_600_000,
  isCurrent: false,
  standing: 'counted',
});

/** What the manager of a member that serves writes. */
const status = (member: string, listed: string, updatedMs = NOW - 10_000): MemberStatus => ({
  member,
  address: ADDRESSES[member] ?? '',
  updatedAt: new Date(updatedMs).toISOString(),
  decision: 'nothing: serving',
  isLeader: false,
  wantedVersion: '3.6.0',
  etcd: {
    memberId: member,
    version: '3.6.0',
    leaderId: 'a',
    revision: 1,
    dbSizeBytes: 1,
    alarms: [],
    isLearner: false,
  },
  members: listed.split('').map((one) => ({ id: one, name: `etcd-${one}` })),
});

const health = (members: string, statuses: readonly MemberStatus[], served?: string, nowMs = NOW) =>
  etcdHealth({
    wanted: {
      name: 'main',
      members: members.split('').map((name) => ({ name, instanceGroup: `control-plane-${name}` })),
    },
    statuses,
    machines: members.split('').map((name) => machine(name)),
    ...(served !== undefined && { isServedByKops: ({ name }: FleetMachine) => served.includes(name) }),
    nowMs,
  });
const told = (found: ReturnType<typeof health>) =>
  `${found.size}: ${found.members.map(({ name, isHealthy }) => `${name} ${isHealthy ? 'serves' : 'is away'}`).join(', ')}`;

const LONG_AGO = NOW - 86_400_000;

test('a member that neither etcd nor the spec has any more is not missed', () => {
  const statuses = [
    status('a', 'abc'),
    status('b', 'abc'),
    status('c', 'abc'),
    status('d', 'abcde', LONG_AGO),
    status('e', 'abcde', LONG_AGO),
  ];
  expect(told(health('abc', statuses))).toBe('3: a serves, b serves, c serves');
});

test('a member that etcd still has is missed, although the spec no longer has it', () => {
  const statuses = [
    status('a', 'abcde'),
    status('b', 'abcde'),
    status('c', 'abcde'),
    status('d', 'abcde', LONG_AGO),
    status('e', 'abcde', LONG_AGO),
  ];
  const found = health('abc', statuses);
  expect(told(found)).toBe('5: a serves, b serves, c serves, d is away, e is away');
  expect(quorumFault([found], ADDRESSES['a'] ?? '')).toBe(
    'etcd main would lose its quorum: of its 5 members, d, e do not serve',
  );
});

test('members of kops without a status count by what the API shows', () => {
  expect(told(health('abc', [status('a', 'abc')], 'bc'))).toBe('3: a serves, b serves, c serves');
  expect(told(health('abc', [], 'ab'))).toBe('3: a serves, b serves, c is away');
});

test('in a cluster that kops did not make, the silence of managers decides nothing', () => {
  const found = health('abc', []);
  expect(found.members).toEqual([]);
  expect(quorumFault([found], ADDRESSES['a'] ?? '')).toBeUndefined();
});

test('a member that has not joined etcd yet is not counted', () => {
  expect(told(health('abc', [status('a', 'a')], 'a'))).toBe('1: a serves');
});

test('a manager that was heard until lately, and is silent on its machine, is away also in a cluster of kops', () => {
  const statuses = [status('a', 'abc'), status('b', 'abc', NOW - 300_000), status('c', 'abc')];
  expect(told(health('abc', statuses, 'abc'))).toBe('3: a serves, b is away, c serves');
});

test('a clock of this machine that is behind makes no status fresh that is old beside those of other members', () => {
  const statuses = [status('a', 'abc'), status('b', 'abc', NOW - 300_000), status('c', 'abc')];
  const behindMs = NOW - 600_000;
  const found = health('abc', statuses, undefined, behindMs);
  expect(told(found)).toBe('3: a serves, b is away, c serves');
  expect(quorumFault([found], ADDRESSES['a'] ?? '')).toContain('etcd main would lose its quorum');
});

test('one manager whose clock is ahead makes no other status old', () => {
  const statuses = [status('a', 'abc'), status('b', 'abc', NOW + 3_600_000), status('c', 'abc')];
  expect(told(health('abc', statuses))).toBe('3: a serves, b serves, c serves');
});
