import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroupSpec } from '../instance-group.ts';
import { bastionFields } from './bastion-fields.ts';

const told = (spec: ClusterSpec, group: InstanceGroupSpec): readonly string[] =>
  bastionFields({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }, [
    { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'one' }, spec: group },
  ]).map(({ instanceGroup = 'cluster', path }) => `${instanceGroup} ${path}`);

const HOOK = { name: 'a', manifest: 'ExecStart=/bin/true' };

test('names what only machines with a plan have, for groups of bastions alone', () => {
  const group = { hooks: [HOOK], sysctlParameters: ['a.b=1'], machineType: 't3.micro', additionalUserData: [] };
  expect(told({}, { role: 'Bastion', ...group })).toEqual(['one spec.hooks', 'one spec.sysctlParameters']);
  expect(told({}, { role: 'Node', ...group })).toEqual([]);
});

test('names hooks and files of the cluster that only bastions would have', () => {
  const hooks = [HOOK, { ...HOOK, roles: ['Bastion'] }, { ...HOOK, roles: ['Node', 'Bastion'] }];
  expect(told({ hooks, fileAssets: [{ name: 'f', content: 'x', roles: ['bastion'] }] }, { role: 'Node' })).toEqual([
    'cluster spec.hooks[1].roles',
    'cluster spec.fileAssets[0].roles',
  ]);
});
