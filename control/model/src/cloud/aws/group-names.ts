import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';

/** The name of a group's auto-scaling group and launch template. */
export function autoscalingGroupName({ clusterName }: ClusterFacts, group: InstanceGroup): string {
  const { name } = group.metadata;
  switch (roleOf(group)) {
    case 'ControlPlane':
      return `${name}.masters.${clusterName}`;
    case 'APIServer':
      return `${name}.apiservers.${clusterName}`;
    case 'Node':
    case 'Bastion':
      return `${name}.${clusterName}`;
  }
}
