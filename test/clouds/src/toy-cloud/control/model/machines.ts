import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import { zoneOf } from '@kopsctl/model/zone.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { ownTags } from '../../node/ownership.ts';

/**
 * The machines of an instance group, named `<group>-<n>.<cluster>` from 1 on; nothing scales them, so there are minSize of them.
 *
 * @param needs what a machine reads as it boots and so must be in the store before
 */
export function toyMachines(
  { clusterName, spec }: ClusterFacts,
  group: InstanceGroup,
  userData: string,
  needs: readonly TaskId[],
): readonly Task[] {
  return Array.from({ length: group.spec.minSize ?? 1 }, (_, index): Task => ({
    kind: 'toy/Machine',
    name: `${group.metadata.name}-${index + 1}.${clusterName}`,
    props: {
      network: { ref: `toy/Network/${clusterName}`, output: 'id' },
      zone: zoneOf(spec, group),
      instanceGroup: group.metadata.name,
      role: roleOf(group),
      machineType: group.spec.machineType ?? '',
      image: group.spec.image ?? '',
      userData,
      tags: { ...spec.cloudLabels, ...group.spec.cloudLabels, ...ownTags(clusterName) },
      after: needs.map((ref) => ({ ref })),
    },
  }));
}
