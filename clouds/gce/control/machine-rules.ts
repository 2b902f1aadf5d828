import { autoscaledGroups } from '@kopsctl/model/addons/autoscaler-defaults.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import { bootDiskType } from './machine-types.ts';

/** GB (kops pkg/model/defaults). */
const ROOT_DISK_SIZE: Readonly<Record<Role, number>> = { ControlPlane: 64, APIServer: 128, Node: 128, Bastion: 32 };

/** The defaults of machines. */
export const gceGroupRules: readonly InstanceGroupRule[] = [
  autoscaledGroups,
  {
    name: 'default of root volumes',
    infer: (group) => ({
      rootVolumeSize: ROOT_DISK_SIZE[roleOf(group)],
      rootVolumeType: bootDiskType(group.spec.machineType ?? ''),
    }),
  },
  {
    // kops pkg/model/gcemodel/autoscalinggroup.go
    name: 'public address of bastions, and in public subnets',
    infer: (group, { spec }) => ({ associatePublicIp: roleOf(group) === 'Bastion' ? true : isPublic(group, spec) }),
  },
];

/** Undefined until the subnet of the group is known. */
function isPublic({ spec: { subnets: names } }: InstanceGroup, { subnets = [] }: ClusterSpec): boolean | undefined {
  const [subnet] = names?.flatMap((name) => subnets.filter((one) => one.name === name)) ?? [];
  return subnet && ['Public', 'Utility'].includes(subnet.type ?? '');
}
