import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { etcdOnControlPlanes } from './etcd-on-control-planes.ts';

const group = (name: string, maxSize?: number): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { role: 'Master', ...(maxSize !== undefined && { maxSize }) },
});
const members = (...groups: readonly string[]) =>
  groups.map((instanceGroup, index) => ({ name: String.fromCodePoint(97 + index), instanceGroup }));
const faultsOf = (etcdClusters: NonNullable<ClusterSpec['etcdClusters']>, groups: readonly InstanceGroup[]) => {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: { etcdClusters },
  } as const;
  return [...etcdOnControlPlanes(cluster, groups)].map(({ instanceGroup, message }) => `${instanceGroup}: ${message}`);
};

test('each control plane has a member of each etcd cluster', () => {
  const [main, events] = [
    { name: 'main', etcdMembers: members('a', 'b', 'c') },
    { name: 'events', etcdMembers: members('a') },
  ];
  expect(faultsOf([main], [group('a'), group('b'), group('c')])).toEqual([]);
  expect(faultsOf([main, events], [group('a'), group('b')])).toEqual([
    "b: each of its 1 machines needs a member of etcd cluster 'events', and 0 are in this group",
  ]);
  expect(faultsOf([main], [group('a', 3), group('b'), group('c')])).toHaveLength(1);
  expect(faultsOf([{ name: 'main', etcdMembers: members('a', 'a', 'a') }], [group('a', 3)])).toEqual([]);
});

test('nothing is said of members that are still to be inferred', () => {
  expect(faultsOf([{ name: 'main' }], [group('a', 3)])).toEqual([]);
});
