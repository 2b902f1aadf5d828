import { autoscaledGroups } from '@kopsctl/model/addons/autoscaler-defaults.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupRule } from '@kopsctl/spec/complete/rule.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type Role, roleOf } from '@kopsctl/spec/names.ts';
import { gpuLabel } from './gpu-machines.ts';
import { isPublic } from './subnet-kinds.ts';
import { leastSpeed } from './volume-speed.ts';

/** GiB (kops pkg/model/defaults). */
const ROOT_VOLUME_SIZE: Readonly<Record<Role, number>> = { ControlPlane: 64, APIServer: 128, Node: 128, Bastion: 32 };

/** The default type of volumes. */
export const VOLUME_TYPE = 'gp3';

/** The seconds that a machine may take to become ready for the warm pool (kops pkg/model/awsmodel/autoscalinggroup.go). */
const WARM_POOL_HOOK_SECONDS = 600;

/** Whether a group may have a warm pool, its own or that of the cluster (kops WarmPoolSpec.ResolveDefaults). */
export const mayBeWarmed = (group: InstanceGroup): boolean => ['Node', 'APIServer'].includes(roleOf(group));

/** The defaults of machines (kops pkg/model/awsmodel/autoscalinggroup.go). */
export const awsGroupRules: readonly InstanceGroupRule[] = [
  gpuLabel,
  {
    name: 'default of root volumes',
    infer: (group) => {
      const { rootVolumeType: type = VOLUME_TYPE } = group.spec;
      const { iops, throughput } = leastSpeed(type);
      return {
        rootVolumeSize: ROOT_VOLUME_SIZE[roleOf(group)],
        rootVolumeType: type,
        rootVolumeIops: iops,
        rootVolumeThroughput: throughput,
        rootVolumeEncryption: true,
        rootVolumeDeleteOnTermination: true,
      };
    },
  },
  {
    name: 'default of additional volumes',
    infer: ({ spec }) => ({
      volumes: spec.volumes?.map(({ device, type = VOLUME_TYPE }) => ({
        device,
        type,
        ...leastSpeed(type),
        encrypted: true,
        deleteOnTermination: true,
      })),
    }),
  },
  {
    name: 'default of machines in AWS',
    infer: () => ({
      detailedInstanceMonitoring: false,
      instanceProtection: false,
      instanceMetadata: { httpPutResponseHopLimit: 1, httpTokens: 'required' },
    }),
  },
  autoscaledGroups,
  {
    name: 'public address in public subnets',
    infer: (group, { spec }) => ({ associatePublicIp: areAllPublic(group, spec) }),
  },
  {
    name: 'warm pool of the cluster',
    infer: (group, { spec }) => (mayBeWarmed(group) ? { warmPool: spec.warmPool } : {}),
  },
  {
    name: 'default of warm pools',
    infer: ({ spec }) =>
      spec.warmPool === undefined ? {} : { warmPool: { minSize: 0, lifecycleHookTimeout: WARM_POOL_HOOK_SECONDS } },
  },
];

/** Undefined until the subnets of the group are known. */
function areAllPublic({ spec: { subnets: names } }: InstanceGroup, spec: ClusterSpec): boolean | undefined {
  return names?.every((name) => spec.subnets?.some((subnet) => subnet.name === name && isPublic(subnet)));
}
