import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroupSpec } from '../instance-group.ts';
import { unreadFields } from './unread-fields.ts';

const told = (spec: ClusterSpec, group: InstanceGroupSpec = {}): readonly string[] =>
  unreadFields({ apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec }, [
    { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' }, spec: group },
  ]).map(({ instanceGroup = 'cluster', path }) => `${instanceGroup} ${path}`);

test('names fields that nothing reads, with the number of each item of a list', () => {
  expect(told({ kubeDNS: { replicas: 3 } })).toEqual(['cluster spec.kubeDNS.replicas']);
  expect(told({ etcdClusters: [{ name: 'main' }, { name: 'events', image: 'etcd:3.5' }] })).toEqual([
    'cluster spec.etcdClusters[1].image',
  ]);
});

test('names the group of a field', () => {
  expect(told({}, { kubelet: { apiServers: 'x' } })).toEqual(['nodes spec.kubelet.apiServers']);
});

test('says nothing of fields that act', () => {
  expect(
    told({ containerd: { version: '2.1.0' }, keyStore: 's3://keys/shared/pki', secretStore: 's3://state/a.b/secrets' }),
  ).toEqual([]);
});

test('says nothing of what kops writes into every spec, but of other values', () => {
  expect(told({ channel: 'stable', iam: { legacy: false } })).toEqual([]);
  expect(told({ channel: 'alpha', iam: { legacy: true } })).toEqual([
    'cluster spec.channel',
    'cluster spec.iam.legacy',
  ]);
});
