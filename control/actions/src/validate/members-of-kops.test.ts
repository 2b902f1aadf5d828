import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { expect, test } from 'vitest';
import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { membersOfKops } from './members-of-kops.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const wanted = {
  name: 'main',
  members: ['a', 'b', 'c'].map((name) => ({ name, instanceGroup: `control-plane-${name}` })),
};
const ADDRESS: Readonly<Record<string, string>> = { a: '10.0.0.1', b: '10.0.0.2', c: '10.0.0.3' };

const machine = (name: string): ExpectedNode => ({
  nodeName: `node-${name}`,
  instanceGroup: `control-plane-${name}`,
  role: 'ControlPlane',
  running: true,
});
const node = (name: string, ready = 'True'): NodeStatus => ({
  name: `node-${name}`,
  machineId: undefined,
  conditions: [{ type: 'Ready', status: ready }],
  internalAddresses: [ADDRESS[name] ?? ''],
});
const pod = (component: string, member: string, ready = true): PodStatus => ({
  name: `${component}-node-${member}`,
  namespace: 'kube-system',
  priorityClassName: 'system-node-critical',
  node: `node-${member}`,
  phase: 'Running',
  containers: [{ name: component, ready }],
});
const status: MemberStatus = {
  member: 'a',
  address: ADDRESS['a'] ?? '',
  updatedAt: '2026-11-21T11:59:45Z',
  decision: 'nothing: serving',
  isLeader: true,
  wantedVersion: '3.6.1',
};

test('a member is served where its Node, the manager of kops and the API server are ready', () => {
  const machines = ['a', 'b', 'c'].map(machine);
  const nodes = ['a', 'b', 'c'].map((name) => node(name));
  const pods = ['b', 'c'].flatMap((name) => [pod('etcd-manager-main', name), pod('kube-apiserver', name)]);
  const served = (shown: object = {}) =>
    membersOfKops({ wanted, statuses: [status] }, { machines, nodes, pods, ...shown }, NOW);
  expect(served()).toEqual(['b', 'c']);
  expect(served({ nodes: [node('a'), node('b'), node('c', 'Unknown')] })).toEqual(['b']);
  expect(served({ pods: pods.filter(({ name }) => name !== 'etcd-manager-main-node-b') })).toEqual(['c']);
  expect(served({ pods: [...pods.slice(0, 3), pod('kube-apiserver', 'c', false)] })).toEqual(['b']);
  expect(served({ machines: [machine('a'), machine('b'), { ...machine('c'), running: false }] })).toEqual(['b']);
});

test('where a group has more machines than members, it cannot be said which serves one', () => {
  const machines = [machine('b'), { ...machine('b'), nodeName: 'node-c' }];
  const pods = ['b', 'c'].flatMap((name) => [pod('etcd-manager-main', name), pod('kube-apiserver', name)]);
  const shown = { machines, nodes: [node('b'), node('c')], pods };
  expect(membersOfKops({ wanted, statuses: [status] }, shown, NOW)).toEqual([]);
});
