import type { EtcdMemberSpec } from '@kopsctl/spec/cluster.ts';
import type { Correction } from '@kopsctl/spec/complete/rule.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { leastSpeed } from './volume-speed.ts';

/** Raises speeds of volumes that EC2 would refuse, as kops does (pkg/model/awsmodel/autoscalinggroup.go). */
export const leastSpeeds: Correction = {
  name: 'the least that EC2 accepts for this type of volume',
  cluster: ({ etcdClusters, ...spec }) => ({
    ...spec,
    ...(etcdClusters && {
      etcdClusters: etcdClusters.map(({ etcdMembers, ...etcdCluster }) => ({
        ...etcdCluster,
        ...(etcdMembers && { etcdMembers: etcdMembers.map(ofEtcd) }),
      })),
    }),
  }),
  instanceGroup: ({ volumes, ...spec }) => ({
    ...ofRootVolume(spec),
    ...(volumes && { volumes: volumes.map(ofVolume) }),
  }),
};

function ofEtcd(member: EtcdMemberSpec): EtcdMemberSpec {
  const { iops, throughput } = leastSpeed(member.volumeType ?? '');
  return {
    ...member,
    ...(isBelow(member.volumeIops, iops) && { volumeIops: iops }),
    ...(isBelow(member.volumeThroughput, throughput) && { volumeThroughput: throughput }),
  };
}

function ofRootVolume(spec: InstanceGroupSpec): InstanceGroupSpec {
  const { iops, throughput } = leastSpeed(spec.rootVolumeType ?? '');
  return {
    ...spec,
    ...(isBelow(spec.rootVolumeIops, iops) && { rootVolumeIops: iops }),
    ...(isBelow(spec.rootVolumeThroughput, throughput) && { rootVolumeThroughput: throughput }),
  };
}

type Volume = NonNullable<InstanceGroupSpec['volumes']>[number];

function ofVolume(volume: Volume): Volume {
  const { iops, throughput } = leastSpeed(volume.type ?? '');
  return {
    ...volume,
    ...(isBelow(volume.iops, iops) && { iops }),
    ...(isBelow(volume.throughput, throughput) && { throughput }),
  };
}

const isBelow = (value: number | undefined, least: number | undefined): least is number =>
  value !== undefined && least !== undefined && value < least;
