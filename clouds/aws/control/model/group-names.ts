import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';

/** Whether an auto-scaling group makes the machines of a group. Karpenter makes the machines of the other groups. */
export const isScaledByAws = ({ spec }: InstanceGroup): boolean => spec.manager !== 'Karpenter';

/** The name of the auto-scaling group and the launch template of an instance group. */
export function autoscalingGroupName({ clusterName }: Pick<ClusterFacts, 'clusterName'>, group: InstanceGroup): string {
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
