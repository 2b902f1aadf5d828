import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { etcdVolumeTag } from '@kopsctl/model/etcd-clusters.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { ownTags } from '../../node/ownership.ts';

/** kops's default (pkg/model/master_volumes.go). */
const DEFAULT_SIZE_GIB = 20;

/** A volume for each member of each etcd cluster, with the tags by which control planes find it. */
export function toyVolumes(
  { etcdClusters, clusterName, spec }: ClusterFacts,
  groups: readonly InstanceGroup[],
): readonly Task[] {
  return etcdClusters.flatMap(({ name: etcd = '', etcdMembers: members = [] }) => {
    const all = members.map(({ name }) => name).join(',');
    return members.map(({ name, instanceGroup, volumeSize = DEFAULT_SIZE_GIB }): Task => {
      const group = groups.find(({ metadata }) => metadata.name === instanceGroup);
      return {
        kind: 'toy/Volume',
        name: `${name}.etcd-${etcd}.${clusterName}`,
        props: {
          zone: zoneOf(spec, group),
          sizeGiB: volumeSize,
          tags: {
            ...spec.cloudLabels,
            ...ownTags(clusterName),
            [etcdVolumeTag(etcd)]: `${name}/${all}`,
            'k8s.io/role/master': '1',
          },
        },
      };
    });
  });
}
