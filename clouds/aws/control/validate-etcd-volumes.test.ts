import type { EtcdMemberSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { validateEtcdVolumes } from './validate-etcd-volumes.ts';

const faultsOf = (member: EtcdMemberSpec) =>
  [...validateEtcdVolumes({ etcdClusters: [{ name: 'main', etcdMembers: [member] }] })].map(
    ({ path, message }) => `${path.replace('spec.etcdClusters[0].etcdMembers[0].', '')}: ${message}`,
  );

test.each<EtcdMemberSpec>([
  {},
  { volumeType: '' },
  // The default size.
  { volumeType: 'io1', volumeSize: 0, volumeIops: 1000 },
  { volumeType: 'gp3', volumeSize: 20, volumeIops: 3000, volumeThroughput: 125 },
  // Less than the least is raised to that.
  { volumeType: 'gp3', volumeSize: 1, volumeIops: 5 },
  { volumeType: 'io1', volumeSize: 1, volumeIops: 100 },
  { volumeType: 'io1', volumeSize: 20, volumeIops: 1000 },
])('EC2 makes %j', (member) => {
  expect(faultsOf(member)).toEqual([]);
});

test.each<[EtcdMemberSpec, string]>([
  [{ volumeType: 'gp9' }, "volumeType: expected one of gp3, gp2, io2, io1, st1, sc1, standard, found 'gp9'"],
  [{ volumeSize: -1 }, 'volumeSize: -1 GiB is not the size of a volume'],
  [{ volumeType: 'io1', volumeSize: 20, volumeIops: 1001 }, 'volumeIops: 1001 IOPS are more than io1 has with 20 GiB'],
  [{ volumeType: 'gp3', volumeSize: 7, volumeIops: 4000 }, 'volumeIops: 4000 IOPS are more than gp3 has with 7 GiB'],
  [
    { volumeType: 'gp3', volumeSize: 20, volumeIops: 3000, volumeThroughput: 800 },
    'volumeThroughput: 800 MiB/s are more than gp3 has with 3000 IOPS',
  ],
])('%j is refused', (member, refusal) => {
  expect(faultsOf(member)).toEqual([refusal]);
});
