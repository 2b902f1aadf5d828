import type { AutoscalingGroupProps, MixedInstances } from '../kinds/compute.ts';
import { completedValue } from '@kopsctl/model/completed-value.ts';
import type { Text } from '@kopsctl/model/output.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseDurationMs } from '@kopsctl/spec/duration.ts';
import { parseQuantity } from '@kopsctl/spec/quantity.ts';
import { roleOf } from '@kopsctl/spec/names.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { apiTargetGroups } from './api-load-balancer.ts';
import { type AwsContext, subnetId, subnetsOf } from './aws-context.ts';
import { awsTask, outputOf } from './aws-task.ts';
import { bastionTargetGroup } from './bastion.ts';
import { autoscalingGroupName } from './group-names.ts';
import { groupTags } from './group-tags.ts';
import { machineTypes } from './launch-template.ts';
import { warmPoolOf } from './warm-pool.ts';

/** The auto-scaling group of an instance group. */
export function autoscalingGroup(context: AwsContext, group: InstanceGroup): Task {
  const { spec } = group;
  const name = autoscalingGroupName(context.facts, group);
  const warmPool = warmPoolOf(group);
  const mixedInstances = mixed(group);
  const external = spec.externalLoadBalancers ?? [];
  const props: AutoscalingGroupProps = {
    name,
    launchTemplate: outputOf('aws/LaunchTemplate', name, 'id'),
    launchTemplateVersion: outputOf('aws/LaunchTemplate', name, 'version'),
    minSize: completedValue('spec.minSize', spec.minSize),
    maxSize: completedValue('spec.maxSize', spec.maxSize),
    subnets: subnetsOf(context, group).map((subnet) => subnetId(context, subnet)),
    classicLoadBalancers: external.flatMap(({ loadBalancerName }) => loadBalancerName ?? []).toSorted(),
    targetGroups: [
      ...targetGroups(context, group),
      ...external.flatMap(({ targetGroupArn }) => targetGroupArn ?? []).toSorted(),
    ],
    suspendedProcesses: suspended(group),
    protectFromScaleIn: spec.instanceProtection === true,
    ...(spec.capacityRebalance === undefined ? {} : { capacityRebalance: spec.capacityRebalance }),
    maxInstanceLifetime: Math.round((parseDurationMs(spec.maxInstanceLifetime ?? '0') ?? 0) / 1000),
    ...(mixedInstances === undefined ? {} : { mixedInstances }),
    ...(warmPool === undefined ? {} : { warmPool }),
    tags: groupTags(context, group),
  };
  return awsTask('aws/AutoscalingGroup', name, props);
}

function targetGroups(context: AwsContext, group: InstanceGroup): readonly Text[] {
  const role = roleOf(group);
  switch (role) {
    case 'ControlPlane':
    case 'APIServer':
      return apiTargetGroups(context, role);
    case 'Bastion':
      return [bastionTargetGroup(context)];
    case 'Node':
      return [];
  }
}

/** Suspends AWS's balancing between zones where the cluster has an autoscaler: the two would undo each other's work. */
const suspended = ({ spec }: InstanceGroup): readonly string[] => spec.suspendProcesses ?? [];

function mixed(group: InstanceGroup): MixedInstances | undefined {
  const { mixedInstancesPolicy: policy, maxPrice } = group.spec;
  if (policy === undefined) return undefined;
  const { instanceRequirements: wish } = policy;
  const alternatives = machineTypes(group);
  return {
    machineTypes: policy.instances ?? (wish === undefined && alternatives.length > 1 ? alternatives : []),
    ...(wish === undefined
      ? {}
      : {
          requirements: {
            ...amount('cpuMin', wish.cpu?.min, 1),
            ...amount('cpuMax', wish.cpu?.max, 1),
            ...amount('memoryMinMiB', wish.memory?.min, MEBIBYTE),
            ...amount('memoryMaxMiB', wish.memory?.max, MEBIBYTE),
            ...(wish.excludedInstanceTypes === undefined ? {} : { excludedTypes: wish.excludedInstanceTypes }),
          },
        }),
    ...(policy.onDemandBase === undefined ? {} : { onDemandBase: policy.onDemandBase }),
    ...(policy.onDemandAboveBase === undefined ? {} : { onDemandPercentAboveBase: policy.onDemandAboveBase }),
    ...(policy.onDemandAllocationStrategy === undefined
      ? {}
      : { onDemandAllocation: policy.onDemandAllocationStrategy }),
    ...(policy.spotAllocationStrategy === undefined ? {} : { spotAllocation: policy.spotAllocationStrategy }),
    ...(policy.spotInstancePools === undefined ? {} : { spotPools: policy.spotInstancePools }),
    spotMaxPrice: maxPrice ?? '',
  };
}

const MEBIBYTE = 1024 * 1024;

function amount(field: string, quantity: string | number | undefined, unit: number): Readonly<Record<string, number>> {
  const value = quantity === undefined ? undefined : parseQuantity(String(quantity));
  return value === undefined ? {} : { [field]: Math.round(value / unit) };
}
