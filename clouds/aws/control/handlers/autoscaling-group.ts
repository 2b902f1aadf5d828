import {
  type AutoScalingGroup,
  CreateAutoScalingGroupCommand,
  DeleteAutoScalingGroupCommand,
  DescribeAutoScalingGroupsCommand,
  EnableMetricsCollectionCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { NotYet } from '@kopsctl/tasks/failure.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isDetachedFrom } from '../fleet/fleet-groups.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { instancesById } from '../running/machine-groups.ts';
import { amongAllOr } from './ec2-resource.ts';
import { resourceHandler } from './resource-handler.ts';
import {
  groupTags,
  moveLoadBalancers,
  moveTargetGroups,
  removableTags,
  setTags,
  setWarmPool,
  suspend,
} from './change-group.ts';
import { mixedInstances, VERSION } from './mixed-instances.ts';
import { ownedGroups } from './owned-groups.ts';
import { plain } from '../plain.ts';
import { groupMetrics } from '../defaults.ts';
import { unlessGone } from './unless-gone.ts';

type Props = PropsOf<'aws/AutoscalingGroup'>;

interface FoundGroup extends AutoScalingGroup {
  readonly isStandIn: boolean;
}

const sorted = (names: readonly string[] | undefined): readonly string[] => (names ?? []).toSorted();

const describe = (aws: AwsCloud, name: string): Promise<AutoScalingGroup | undefined> =>
  amongAllOr(
    aws,
    () => ownedGroups(aws),
    ({ AutoScalingGroupName }) => AutoScalingGroupName === name,
    async () => {
      const command = new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] });
      return (await aws.autoScaling.send(command)).AutoScalingGroups ?? [];
    },
  );

export const autoscalingGroupHandler = resourceHandler<'aws/AutoscalingGroup', FoundGroup>({
  kind: 'aws/AutoscalingGroup',
  noun: 'auto-scaling group',

  async find({ props }, aws) {
    const group = await describe(aws, props.name);
    if (group?.Status !== undefined)
      throw new NotYet(`${props.name} is being deleted (${group.Status})`, 'wait for it');
    return group && { ...group, isStandIn: aws.isStandIn };
  },
  isMadeBare: true,
  wanted: (props) => ({
    minSize: props.minSize,
    maxSize: props.maxSize,
    subnets: sorted(props.subnets),
    classicLoadBalancers: sorted(props.classicLoadBalancers),
    targetGroups: sorted(props.targetGroups),
    suspendedProcesses: sorted(props.suspendedProcesses),
    protectFromScaleIn: props.protectFromScaleIn,
    maxInstanceLifetime: props.maxInstanceLifetime ?? 0,
    ...(props.capacityRebalance === undefined ? {} : { capacityRebalance: props.capacityRebalance }),
    ...(props.mixedInstances === undefined
      ? { launchTemplate: props.launchTemplate }
      : { mixedInstances: plain(mixedInstances(props.mixedInstances, props.launchTemplate)) }),
    ...(props.warmPool === undefined ? {} : { warmPool: plain(props.warmPool) }),
    metrics: groupMetrics(props),
    tags: props.tags,
  }),
  present: (group, props) => ({
    minSize: group.MinSize ?? 0,
    maxSize: group.MaxSize ?? 0,
    subnets: sorted(group.VPCZoneIdentifier?.split(',').filter((subnet) => subnet !== '')),
    classicLoadBalancers: sorted(group.LoadBalancerNames),
    targetGroups: sorted(group.TargetGroupARNs),
    suspendedProcesses: sorted(group.SuspendedProcesses?.flatMap(({ ProcessName }) => ProcessName ?? [])),
    protectFromScaleIn: group.NewInstancesProtectedFromScaleIn ?? false,
    maxInstanceLifetime: group.MaxInstanceLifetime ?? (group.isStandIn ? (props.maxInstanceLifetime ?? 0) : 0),
    ...(props.capacityRebalance === undefined ? {} : { capacityRebalance: group.CapacityRebalance ?? false }),
    ...templateOf(group, props),
    ...warmPoolOf(group),
    metrics: groupMetrics(props).filter((metric) => group.EnabledMetrics?.some(({ Metric }) => Metric === metric)),
    tags: removableTags(group),
  }),

  async create({ props }, aws) {
    await aws.autoScalingOnce.send(
      new CreateAutoScalingGroupCommand({
        ...settings(props),
        TargetGroupARNs: [...props.targetGroups],
        LoadBalancerNames: [...props.classicLoadBalancers],
        Tags: groupTags(props),
      }),
    );
  },
  async update({ props }, group, changes, aws) {
    const AutoScalingGroupName = props.name;
    const changed = new Set(changes.map(({ path }) => path.split(/[.[]/)[0] ?? path));
    const fields = ['minSize', 'maxSize', 'subnets', 'protectFromScaleIn', 'maxInstanceLifetime', 'capacityRebalance'];
    if ([...fields, 'launchTemplate', 'mixedInstances'].some((field) => changed.has(field))) {
      await aws.autoScaling.send(new UpdateAutoScalingGroupCommand(settings(props)));
    }
    if (changed.has('tags')) await setTags(props, group, aws);
    if (changed.has('targetGroups')) await moveTargetGroups(props, group, aws);
    if (changed.has('classicLoadBalancers')) await moveLoadBalancers(props, group, aws);
    if (changed.has('suspendedProcesses')) await suspend(props, group, aws);
    if (changed.has('warmPool')) await setWarmPool(props, aws);
    if (changed.has('metrics')) {
      await aws.autoScaling.send(
        new EnableMetricsCollectionCommand({
          AutoScalingGroupName,
          Granularity: '1Minute',
          Metrics: groupMetrics(props),
        }),
      );
    }
  },
  outputs: (_group, { name }) => ({ name }),
  plannedOutputs: ({ name }) => ({ name }),

  owned: async (aws) =>
    (await ownedGroups(aws)).map(({ AutoScalingGroupName: name = '' }) => ({
      name,
      description: `auto-scaling group ${name}`,
      handle: name,
    })),
  /**
   * Deletes the group with its machines and waits until they are gone: other resources of the cluster cannot be deleted
   * before. Machines that a rolling update took out of it go too, as in kops: without their group nobody would find them.
   */
  async remove({ name }, aws) {
    const group = await describe(aws, name);
    if (group === undefined) return;
    const detached = [...(await instancesById(aws)).values()].filter((one) => isDetachedFrom(name, one));
    for (const { instanceId } of detached) {
      await unlessGone(aws.ec2.send(new TerminateInstancesCommand({ InstanceIds: [instanceId] })));
    }
    if (group.Status === undefined) {
      await aws.autoScaling.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: name, ForceDelete: true }));
    }
    if ((await describe(aws, name)) !== undefined) {
      throw new NotYet(`the machines of ${name} are shutting down`, 'this takes minutes');
    }
  },
});

function settings(props: Props) {
  const template = { LaunchTemplateId: props.launchTemplate, Version: VERSION };
  return {
    AutoScalingGroupName: props.name,
    MinSize: props.minSize,
    MaxSize: props.maxSize,
    VPCZoneIdentifier: props.subnets.join(','),
    NewInstancesProtectedFromScaleIn: props.protectFromScaleIn,
    ...(props.capacityRebalance === undefined ? {} : { CapacityRebalance: props.capacityRebalance }),
    ...(props.maxInstanceLifetime === undefined ? {} : { MaxInstanceLifetime: props.maxInstanceLifetime }),
    ...(props.mixedInstances === undefined
      ? { LaunchTemplate: template }
      : { MixedInstancesPolicy: mixedInstances(props.mixedInstances, props.launchTemplate) }),
  };
}

/** AWS fills in the fields that a policy omits, so only the wanted fields are compared. */
function templateOf(group: AutoScalingGroup, props: Props): JsonObject {
  const policy = group.MixedInstancesPolicy;
  if (props.mixedInstances === undefined) {
    return policy === undefined
      ? { launchTemplate: group.LaunchTemplate?.LaunchTemplateId ?? '' }
      : { mixedInstances: plain(policy) };
  }
  if (policy === undefined) return { launchTemplate: group.LaunchTemplate?.LaunchTemplateId ?? '' };
  const wanted = plain(mixedInstances(props.mixedInstances, props.launchTemplate));
  // A group without a highest price is read as one with an empty price, which is what asks for none.
  const InstancesDistribution = { SpotMaxPrice: '', ...policy.InstancesDistribution };
  return { mixedInstances: along(wanted, plain({ ...policy, InstancesDistribution })) };
}

function along(wanted: Json, there: Json | undefined): Json {
  if (Array.isArray(wanted) && Array.isArray(there)) {
    const [left, right]: [readonly Json[], readonly Json[]] = [wanted, there];
    return right.map((item, index) => (left[index] === undefined ? item : along(left[index], item)));
  }
  if (!isRecord(wanted) || !isRecord(there)) return there ?? null;
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) =>
      there[name] === undefined ? [] : [[name, along(value, there[name])]],
    ),
  );
}

function warmPoolOf({ WarmPoolConfiguration: pool }: AutoScalingGroup): JsonObject {
  if (pool === undefined || pool.Status !== undefined) return {};
  const { MinSize = 0, MaxGroupPreparedCapacity: max } = pool;
  return { warmPool: { minSize: MinSize, ...(max === undefined || max < 0 ? {} : { maxSize: max }) } };
}
