import type { ClusterSpec, EtcdMemberSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { leastSpeed } from './volume-speed.ts';

/** Types of volumes in EC2 ("Amazon EBS volume types" in its user guide). */
const TYPES = ['gp3', 'gp2', 'io2', 'io1', 'st1', 'sc1', 'standard'];

/** The most IOPS for each GiB (kops pkg/model/master_volumes.go). */
const IOPS_PER_GIB: Readonly<Record<string, number>> = { gp3: 500, io1: 50, io2: 500 };
/** The most MiB/s for each IOPS. */
const THROUGHPUT_PER_IOPS = 0.25;

/** Volumes of etcd that EC2 would not make. A speed below the least of its type is raised to that, as in kops. */
export function* validateEtcdVolumes({ etcdClusters = [] }: ClusterSpec): Iterable<Fault> {
  for (const [index, { etcdMembers = [] }] of etcdClusters.entries()) {
    for (const [place, member] of etcdMembers.entries()) {
      yield* ofMember(`spec.etcdClusters[${index}].etcdMembers[${place}]`, member);
    }
  }
}

function* ofMember(path: string, member: EtcdMemberSpec): Iterable<Fault> {
  const { volumeType: type = '', volumeSize, volumeIops = 0, volumeThroughput = 0 } = member;
  // 0 is no size: completion fills in the default.
  const size = volumeSize === 0 ? undefined : volumeSize;
  if (type !== '' && !TYPES.includes(type)) {
    yield fault(`${path}.volumeType`, `expected one of ${TYPES.join(', ')}, found '${type}'`);
  }
  if (size !== undefined && size < 1) {
    yield fault(`${path}.volumeSize`, `${size} GiB is not the size of a volume`, 'write 1 or more');
    return;
  }
  const least = leastSpeed(type);
  const iops = Math.max(volumeIops, least.iops ?? 0);
  const most = IOPS_PER_GIB[type];
  if (size !== undefined && most !== undefined && iops > (least.iops ?? 0) && iops > most * size) {
    const hint = `write at most ${most * size}, or a larger volumeSize`;
    yield fault(`${path}.volumeIops`, `${iops} IOPS are more than ${type} has with ${size} GiB`, hint);
  }
  if (type === 'gp3' && volumeThroughput > iops * THROUGHPUT_PER_IOPS) {
    const hint = `write at most ${iops * THROUGHPUT_PER_IOPS}, or more volumeIops`;
    yield fault(`${path}.volumeThroughput`, `${volumeThroughput} MiB/s are more than gp3 has with ${iops} IOPS`, hint);
  }
}
