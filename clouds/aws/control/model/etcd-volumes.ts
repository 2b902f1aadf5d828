import type { Task } from '@kopsctl/tasks/task.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdMemberSpec } from '@kopsctl/spec/cluster.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { etcdVolumeTag } from '@kopsctl/model/etcd-clusters.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import type { AwsContext } from './aws-context.ts';
import { awsTask } from './aws-task.ts';
import { resourceTags } from './tags.ts';
import { leastSpeed, volumeSpeed } from '../volume-speed.ts';

/** One volume for each member of each etcd cluster. They outlive the machines they serve. */
export function etcdVolumes(context: AwsContext): readonly Task[] {
  const { facts } = context;
  return facts.etcdClusters.flatMap((etcdCluster) => {
    const members = etcdCluster.etcdMembers ?? [];
    const all = members
      .map(({ name }) => name ?? '')
      .toSorted()
      .join(',');
    return members.map((member) => volume(context, etcdCluster.name ?? '', member, all));
  });
}

/** kops raises what is less than the least that EC2 makes (pkg/model/master_volumes.go). */
const atLeast = (wished: number | undefined, least: number | undefined): number | undefined =>
  wished === undefined || least === undefined ? wished : Math.max(wished, least);

function volume(context: AwsContext, etcdCluster: string, member: EtcdMemberSpec, all: string): Task {
  const { facts, groups } = context;
  const name = `${member.name}.etcd-${etcdCluster}.${facts.clusterName}`;
  const group = groups.find(({ metadata }) => metadata.name === member.instanceGroup);
  if (group === undefined) {
    throw new ActionableError({
      what: `place the volume of etcd member ${member.name ?? ''} (${etcdCluster})`,
      why: `there is no instance group ${member.instanceGroup ?? '(none)'}`,
      next: 'name a control-plane instance group in spec.etcdClusters[].etcdMembers[].instanceGroup',
    });
  }
  const type = completedValue('spec.etcdClusters[].etcdMembers[].volumeType', member.volumeType);
  const least = leastSpeed(type);
  return awsTask('aws/Volume', name, {
    zone: zoneOf(facts.spec, group),
    sizeGiB: completedValue('spec.etcdClusters[].etcdMembers[].volumeSize', member.volumeSize),
    type,
    ...volumeSpeed(type, atLeast(member.volumeIops, least.iops), atLeast(member.volumeThroughput, least.throughput)),
    encrypted: member.encryptedVolume === true,
    ...(member.kmsKeyId === undefined ? {} : { kmsKey: member.kmsKeyId }),
    tags: {
      ...resourceTags(facts, name),
      [etcdVolumeTag(etcdCluster)]: `${member.name}/${all}`,
      'k8s.io/role/control-plane': '1',
      'k8s.io/role/master': '1',
    },
  });
}
