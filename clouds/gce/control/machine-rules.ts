import { autoscaledGroups } from '@kopsctl/model/addons/autoscaler-defaults.ts';
import type { InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';
import { bootDiskType } from './machine-types.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';

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
];
