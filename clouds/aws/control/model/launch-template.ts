import { AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import { authorityCa } from '@kopsctl/model/store/keysets.ts';
import type { LaunchTemplateProps } from '../kinds/compute.ts';
import type { Text } from '@kopsctl/model/output.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Task, TaskId } from '@kopsctl/tasks/task.ts';
import { findsApiByLoadBalancer } from '@kopsctl/model/discovery.ts';
import { apiForMachines, hasApiLoadBalancer } from './api-load-balancer.ts';
import { type AwsContext, subnetsOf } from './aws-context.ts';
import { awsTask } from './aws-task.ts';
import { autoscalingGroupName } from './group-names.ts';
import { groupTags } from './group-tags.ts';
import { instanceProfileOf } from './iam/machine-roles.ts';
import { instanceStore } from './instance-store.ts';
import { securityGroupOf } from './security-groups.ts';
import { isPublic } from '../subnet-kinds.ts';
import { volumeSpeed } from '../volume-speed.ts';

/** The input for the launch template of a group. */
export interface GroupBoot {
  /** Absent for machines that do not become nodes. */
  readonly userData?: string;
  readonly keyPair?: Text;
  /** What a machine reads at boot, which must therefore be in the store first. */
  readonly needs: readonly TaskId[];
}

/** The launch template of a group (kops pkg/model/awsmodel/autoscalinggroup.go). */
export function launchTemplate(context: AwsContext, group: InstanceGroup, boot: GroupBoot): Task {
  const { spec } = group;
  const name = autoscalingGroupName(context.facts, group);
  const machineType = machineTypes(group)[0] ?? '';
  const subnets = subnetsOf(context, group);
  const ipv6 = subnets.some(({ ipv6CIDR }) => ipv6CIDR !== undefined && ipv6CIDR !== '');
  const props: LaunchTemplateProps = {
    name,
    image: spec.image ?? '',
    machineType,
    ...(boot.keyPair === undefined ? {} : { keyPair: boot.keyPair }),
    instanceProfile: instanceProfileOf(context, group),
    securityGroups: [
      securityGroupOf(context, group).id,
      ...(hasApiLoadBalancer(context) && servesApi(group)
        ? (context.facts.spec.api?.loadBalancer?.additionalSecurityGroups ?? [])
        : []),
      ...(spec.additionalSecurityGroups ?? []),
    ],
    publicIp: subnets.every(isPublic) && spec.associatePublicIp === true,
    ipv6AddressCount: ipv6 ? 1 : 0,
    rootDevice: rootDevice(group),
    devices: [...additionalVolumes(group), ...instanceStore(machineType)],
    detailedMonitoring: spec.detailedInstanceMonitoring === true,
    ...(spec.rootVolumeOptimization === undefined ? {} : { ebsOptimized: spec.rootVolumeOptimization }),
    ...(spec.cpuCredits === undefined ? {} : { cpuCredits: spec.cpuCredits }),
    ...(spec.tenancy === undefined || spec.tenancy === '' ? {} : { tenancy: spec.tenancy }),
    metadata: {
      ipv6,
      hopLimit: completedValue(
        'spec.instanceMetadata.httpPutResponseHopLimit',
        spec.instanceMetadata?.httpPutResponseHopLimit,
      ),
      tokens: completedValue('spec.instanceMetadata.httpTokens', spec.instanceMetadata?.httpTokens),
    },
    ...spot(group),
    ...(boot.userData === undefined ? {} : { userData: boot.userData }),
    ...(boot.userData !== undefined && spec.compressUserData === true ? { compressed: true } : {}),
    ...(boot.userData !== undefined && findsApiByLoadBalancer(context.facts)
      ? { apiLoadBalancer: apiForMachines(context) }
      : {}),
    ...(boot.userData !== undefined && boot.userData.includes(AUTHORITY_CA) ? { authorityCa: authorityCa() } : {}),
    after: boot.needs.map((ref) => ({ ref })),
    tags: groupTags(context, group),
  };
  return awsTask('aws/LaunchTemplate', name, props);
}

const servesApi = (group: InstanceGroup): boolean => ['ControlPlane', 'APIServer'].includes(roleOf(group));

/** `m5.large,m5a.large` are alternatives; the first is used where only one can be named. */
export const machineTypes = (group: InstanceGroup): readonly string[] =>
  (group.spec.machineType ?? '').split(',').filter((type) => type !== '');

function rootDevice(group: InstanceGroup): LaunchTemplateProps['rootDevice'] {
  const { spec } = group;
  const type = completedValue('spec.rootVolumeType', spec.rootVolumeType);
  const isEncrypted = spec.rootVolumeEncryption === true;
  return {
    sizeGiB: completedValue('spec.rootVolumeSize', spec.rootVolumeSize),
    type,
    ...volumeSpeed(type, spec.rootVolumeIops, spec.rootVolumeThroughput),
    encrypted: isEncrypted,
    ...(isEncrypted && spec.rootVolumeEncryptionKey !== undefined ? { kmsKey: spec.rootVolumeEncryptionKey } : {}),
    deleteOnTermination: spec.rootVolumeDeleteOnTermination === true,
  };
}

function additionalVolumes({ spec }: InstanceGroup): LaunchTemplateProps['devices'] {
  return (spec.volumes ?? []).map((volume) => {
    const type = completedValue('spec.volumes[].type', volume.type);
    return {
      device: volume.device ?? '',
      ebs: {
        sizeGiB: volume.size ?? 0,
        type,
        ...volumeSpeed(type, volume.iops, volume.throughput),
        encrypted: volume.encrypted === true,
        ...(volume.key === undefined ? {} : { kmsKey: volume.key }),
        deleteOnTermination: volume.deleteOnTermination === true,
      },
    };
  });
}

/** With mixed instances, the group sets the price. */
function spot({ spec }: InstanceGroup): Pick<LaunchTemplateProps, 'spot'> {
  if (spec.maxPrice === undefined || spec.mixedInstancesPolicy !== undefined) return {};
  return {
    spot: {
      maxPrice: spec.maxPrice,
      ...(spec.spotDurationInMinutes === undefined ? {} : { blockDurationMinutes: spec.spotDurationInMinutes }),
      ...(spec.instanceInterruptionBehavior === undefined
        ? {}
        : { interruptionBehavior: spec.instanceInterruptionBehavior }),
    },
  };
}
