import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import type { EtcdMemberSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { CLUSTER_LABEL, clusterLabel, encodeLabel, etcdLabel, ROLE_LABEL_PREFIX } from '../../node/labels.ts';
import { diskName } from '../names.ts';
import type { GceContext } from './gce-context.ts';
import { gceTask } from './gce-task.ts';

/** One disk for each member of each etcd cluster. They outlive the machines they serve. */
export const etcdDisks = (context: GceContext): readonly Task[] =>
  context.facts.etcdClusters.flatMap(({ name = '', etcdMembers = [] }) =>
    etcdMembers.map((member) => disk(context, name, member)),
  );

function disk({ facts, groups }: GceContext, etcdCluster: string, member: EtcdMemberSpec): Task {
  const group = groups.find(({ metadata }) => metadata.name === member.instanceGroup);
  if (group === undefined) {
    throw new ActionableError({
      what: `place the disk of etcd member ${member.name ?? ''} (${etcdCluster})`,
      why: `there is no instance group ${member.instanceGroup ?? '(none)'}`,
      next: 'name a control-plane instance group in spec.etcdClusters[].etcdMembers[].instanceGroup',
    });
  }
  const name = diskName(member.name ?? '', etcdCluster, facts.clusterName);
  const { volumeIops: iops = 0, volumeThroughput: throughput = 0 } = member;
  return gceTask('gce/Disk', name, {
    name,
    zone: zoneOf(facts.spec, group),
    sizeGb: completedValue('spec.etcdClusters[].etcdMembers[].volumeSize', member.volumeSize),
    type: completedValue('spec.etcdClusters[].etcdMembers[].volumeType', member.volumeType),
    ...(iops > 0 && { iops }),
    ...(throughput > 0 && { throughput }),
    labels: {
      [CLUSTER_LABEL]: clusterLabel(facts.clusterName),
      // A label has no room for the names of all members (kops#17630).
      [etcdLabel(etcdCluster)]: encodeLabel(`${member.name}/${member.name}`),
      [`${ROLE_LABEL_PREFIX}master`]: 'master',
    },
  });
}
