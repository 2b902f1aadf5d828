import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { leftOutOfMetal } from './left-out.ts';

const told = (spec: ClusterSpec, group: InstanceGroupSpec = {}): readonly string[] =>
  [
    ...leftOutOfMetal({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }, [
      { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: group },
    ]),
  ].map(({ instanceGroup = 'cluster', path }) => `${instanceGroup} ${path}`);

test('says nothing of what create cluster writes', () => {
  expect(told({ kubernetesApiAccess: ['0.0.0.0/0', '::/0'], sshAccess: ['0.0.0.0/0'], cloudLabels: {} })).toEqual([]);
});

test('names access lists that would limit nobody, labels, and what machines already have', () => {
  expect(
    told(
      { kubernetesApiAccess: ['10.0.0.0/8'], nodePortAccess: ['10.0.0.0/8'], cloudLabels: { a: 'b' } },
      { rootVolumeSize: 50, additionalUserData: [{ name: 'a', type: 'text/x-shellscript', content: 'b' }] },
    ),
  ).toEqual([
    'cluster spec.kubernetesApiAccess',
    'cluster spec.nodePortAccess',
    'cluster spec.cloudLabels',
    'nodes spec.additionalUserData',
    'nodes spec.rootVolumeSize',
  ]);
});
