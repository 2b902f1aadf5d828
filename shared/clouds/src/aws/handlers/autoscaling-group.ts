import {
  type AutoScalingGroup,
  AttachLoadBalancersCommand,
  AttachLoadBalancerTargetGroupsCommand,
  CreateAutoScalingGroupCommand,
  CreateOrUpdateTagsCommand,
  DeleteAutoScalingGroupCommand,
  DeleteLifecycleHookCommand,
  DeleteWarmPoolCommand,
  DescribeAutoScalingGroupsCommand,
  DescribeLifecycleHooksCommand,
  DetachLoadBalancersCommand,
  DetachLoadBalancerTargetGroupsCommand,
  EnableMetricsCollectionCommand,
  type LifecycleHook,
  type MixedInstancesPolicy,
  paginateDescribeAutoScalingGroups,
  PutLifecycleHookCommand,
  PutWarmPoolCommand,
  ResumeProcessesCommand,
  SuspendProcessesCommand,
  UpdateAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import { NotYet } from '@kopsctl/tasks/failure.ts';
import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import type { MixedInstances } from '../kinds/compute.ts';
import { ownershipTag } from '../ownership.ts';
import type { AwsCloud } from './aws-cloud.ts';
import { isNotFound } from './aws-error.ts';
import { isOwned } from './ec2-resource.ts';
import { kept, tagsOf } from '../tag-list.ts';
import type { PropsOf } from '../kinds/resolved.ts';
import { resourceHandler } from './resource-handler.ts';

type Props = PropsOf<'aws/AutoscalingGroup'>;

/** Always the newest version: whoever reads the group's template reads one that is whole. */
const VERSION = '$Latest';

/** All there are; each is asked for by name. */
const METRICS = [
  'GroupDesiredCapacity',
  'GroupInServiceInstances',
  'GroupMaxSize',
  'GroupMinSize',
  'GroupPendingInstances',
  'GroupStandbyInstances',
  'GroupTerminatingInstances',
  'GroupTotalInstances',
];

interface FoundGroup extends AutoScalingGroup {
  readonly isStandIn: boolean;
}

const sorted = (names: readonly string[] | undefined): readonly string[] => (names ?? []).toSorted();

async function describe(aws: AwsCloud, name: string): Promise<AutoScalingGroup | undefined> {
  const { AutoScalingGroups: [group] = [] } = await aws.autoScaling.send(
    new DescribeAutoScalingGroupsCommand({ AutoScalingGroupNames: [name] }),
  );
  return group;
}

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
    metrics: METRICS,
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
    metrics: METRICS.filter((metric) => group.EnabledMetrics?.some(({ Metric }) => Metric === metric)),
    tags: kept(props.tags, tagsOf(group.Tags)),
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
    if (changed.has('tags')) await aws.autoScaling.send(new CreateOrUpdateTagsCommand({ Tags: groupTags(props) }));
    if (changed.has('targetGroups')) await moveTargetGroups(props, group, aws);
    if (changed.has('classicLoadBalancers')) await moveLoadBalancers(props, group, aws);
    if (changed.has('suspendedProcesses')) await suspend(props, group, aws);
    if (changed.has('warmPool')) await setWarmPool(props, aws);
    if (changed.has('metrics')) {
      await aws.autoScaling.send(
        new EnableMetricsCollectionCommand({ AutoScalingGroupName, Granularity: '1Minute', Metrics: METRICS }),
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
  /** With its machines, and waits until they are gone: what they stand on cannot go before. */
  async remove({ name }, aws) {
    const group = await describe(aws, name);
    if (group === undefined) return;
    if (group.Status === undefined) {
      await aws.autoScaling.send(new DeleteAutoScalingGroupCommand({ AutoScalingGroupName: name, ForceDelete: true }));
    }
    if ((await describe(aws, name)) !== undefined) {
      throw new NotYet(`the machines of ${name} are on their way out`, 'this takes minutes');
    }
  },
});

async function ownedGroups(aws: AwsCloud): Promise<readonly AutoScalingGroup[]> {
  const Filters = [{ Name: `tag:${ownershipTag(aws.clusterName)}`, Values: ['owned'] }];
  const found: AutoScalingGroup[] = [];
  for await (const page of paginateDescribeAutoScalingGroups({ client: aws.autoScaling }, { Filters })) {
    found.push(...(page.AutoScalingGroups ?? []));
  }
  return found.filter(({ Tags }) => isOwned(aws, tagsOf(Tags)));
}

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

function mixedInstances(wish: MixedInstances, LaunchTemplateId: string): MixedInstancesPolicy {
  const { requirements } = wish;
  return {
    InstancesDistribution: {
      ...(wish.onDemandAllocation === undefined ? {} : { OnDemandAllocationStrategy: wish.onDemandAllocation }),
      ...(wish.onDemandBase === undefined ? {} : { OnDemandBaseCapacity: wish.onDemandBase }),
      ...(wish.onDemandPercentAboveBase === undefined
        ? {}
        : { OnDemandPercentageAboveBaseCapacity: wish.onDemandPercentAboveBase }),
      ...(wish.spotAllocation === undefined ? {} : { SpotAllocationStrategy: wish.spotAllocation }),
      ...(wish.spotPools === undefined ? {} : { SpotInstancePools: wish.spotPools }),
      ...(wish.spotMaxPrice === '' ? {} : { SpotMaxPrice: wish.spotMaxPrice }),
    },
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateId, Version: VERSION },
      Overrides: [
        ...wish.machineTypes.map((InstanceType) => ({ InstanceType })),
        ...(requirements === undefined
          ? []
          : [
              {
                InstanceRequirements: {
                  VCpuCount: {
                    Min: requirements.cpuMin ?? 0,
                    ...(requirements.cpuMax === undefined ? {} : { Max: requirements.cpuMax }),
                  },
                  MemoryMiB: {
                    Min: requirements.memoryMinMiB ?? 0,
                    ...(requirements.memoryMaxMiB === undefined ? {} : { Max: requirements.memoryMaxMiB }),
                  },
                  BurstablePerformance: 'included' as const,
                  InstanceGenerations: ['current' as const],
                  ...(requirements.excludedTypes === undefined
                    ? {}
                    : { ExcludedInstanceTypes: [...requirements.excludedTypes] }),
                },
              },
            ]),
      ],
    },
  };
}

/** AWS fills in what a policy leaves open, so that what is there is read along what is wanted. */
function templateOf(group: AutoScalingGroup, props: Props): JsonObject {
  const policy = group.MixedInstancesPolicy;
  if (props.mixedInstances === undefined) {
    return policy === undefined
      ? { launchTemplate: group.LaunchTemplate?.LaunchTemplateId ?? '' }
      : { mixedInstances: plain(policy) };
  }
  if (policy === undefined) return { launchTemplate: group.LaunchTemplate?.LaunchTemplateId ?? '' };
  const wanted = plain(mixedInstances(props.mixedInstances, props.launchTemplate));
  return { mixedInstances: along(wanted, plain(policy)) };
}

function along(wanted: Json, there: Json | undefined): Json {
  if (Array.isArray(wanted) && Array.isArray(there)) {
    const [left, right]: [readonly Json[], readonly Json[]] = [wanted, there];
    return right.map((item, index) => (left[index] === undefined ? item : along(left[index], item)));
  }
  if (!isMap(wanted) || !isMap(there)) return there ?? null;
  return Object.fromEntries(
    Object.entries(wanted).flatMap(([name, value]) =>
      there[name] === undefined ? [] : [[name, along(value, there[name])]],
    ),
  );
}

const isMap = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function warmPoolOf({ WarmPoolConfiguration: pool }: AutoScalingGroup): JsonObject {
  if (pool === undefined || pool.Status !== undefined) return {};
  const { MinSize = 0, MaxGroupPreparedCapacity: max } = pool;
  return { warmPool: { minSize: MinSize, ...(max === undefined || max < 0 ? {} : { maxSize: max }) } };
}

const groupTags = ({ name, tags }: Props) =>
  Object.entries(tags).map(([Key, Value]) => ({
    Key,
    Value,
    PropagateAtLaunch: true,
    ResourceId: name,
    ResourceType: 'auto-scaling-group',
  }));

const missing = (wanted: readonly string[], there: readonly string[]) => wanted.filter((one) => !there.includes(one));

async function moveTargetGroups(props: Props, { TargetGroupARNs: there = [] }: AutoScalingGroup, aws: AwsCloud) {
  const AutoScalingGroupName = props.name;
  const [added, gone] = [missing(props.targetGroups, there), missing(there, props.targetGroups)];
  if (added.length > 0) {
    await aws.autoScaling.send(
      new AttachLoadBalancerTargetGroupsCommand({ AutoScalingGroupName, TargetGroupARNs: added }),
    );
  }
  if (gone.length > 0) {
    await aws.autoScaling.send(
      new DetachLoadBalancerTargetGroupsCommand({ AutoScalingGroupName, TargetGroupARNs: gone }),
    );
  }
}

async function moveLoadBalancers(props: Props, { LoadBalancerNames: there = [] }: AutoScalingGroup, aws: AwsCloud) {
  const AutoScalingGroupName = props.name;
  const added = missing(props.classicLoadBalancers, there);
  const gone = missing(there, props.classicLoadBalancers);
  if (added.length > 0) {
    await aws.autoScaling.send(new AttachLoadBalancersCommand({ AutoScalingGroupName, LoadBalancerNames: added }));
  }
  if (gone.length > 0) {
    await aws.autoScaling.send(new DetachLoadBalancersCommand({ AutoScalingGroupName, LoadBalancerNames: gone }));
  }
}

async function suspend(props: Props, { SuspendedProcesses = [] }: AutoScalingGroup, aws: AwsCloud) {
  const AutoScalingGroupName = props.name;
  const there = SuspendedProcesses.flatMap(({ ProcessName }) => ProcessName ?? []);
  const added = missing(props.suspendedProcesses, there);
  const gone = missing(there, props.suspendedProcesses);
  if (added.length > 0) {
    await aws.autoScaling.send(new SuspendProcessesCommand({ AutoScalingGroupName, ScalingProcesses: added }));
  }
  if (gone.length > 0) {
    await aws.autoScaling.send(new ResumeProcessesCommand({ AutoScalingGroupName, ScalingProcesses: gone }));
  }
}

async function setWarmPool({ name: AutoScalingGroupName, warmPool }: Props, aws: AwsCloud) {
  await (warmPool === undefined
    ? aws.autoScaling.send(new DeleteWarmPoolCommand({ AutoScalingGroupName, ForceDelete: true }))
    : aws.autoScaling.send(
        new PutWarmPoolCommand({
          AutoScalingGroupName,
          MinSize: warmPool.minSize,
          MaxGroupPreparedCapacity: warmPool.maxSize ?? -1,
        }),
      ));
}

export const lifecycleHookHandler = resourceHandler<'aws/LifecycleHook', LifecycleHook>({
  kind: 'aws/LifecycleHook',
  noun: 'lifecycle hook',
  async find({ props }, aws) {
    const { LifecycleHooks: [hook] = [] } = await aws.autoScaling
      .send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName: props.group, LifecycleHookNames: [props.name] }))
      .catch((thrown: unknown) => {
        if (isNotFound(thrown)) return { LifecycleHooks: [] };
        throw thrown;
      });
    return hook;
  },
  wanted: ({ transition, defaultResult, heartbeatSeconds }) => ({ transition, defaultResult, heartbeatSeconds }),
  present: ({ LifecycleTransition = '', DefaultResult = '', HeartbeatTimeout = 0 }) => ({
    transition: LifecycleTransition,
    defaultResult: DefaultResult,
    heartbeatSeconds: HeartbeatTimeout,
  }),
  create: ({ props }, aws) => putHook(props, aws),
  update: ({ props }, _found, _changes, aws) => putHook(props, aws),
  async owned(aws) {
    // They go with their groups.
    if (aws.everything) return [];
    const hooks = await Promise.all(
      (await ownedGroups(aws)).map(async ({ AutoScalingGroupName, Tags }) => {
        const { LifecycleHooks = [] } = await aws.autoScaling.send(
          new DescribeLifecycleHooksCommand({ AutoScalingGroupName }),
        );
        const group = tagsOf(Tags)['kops.k8s.io/instancegroup'] ?? '';
        return LifecycleHooks.flatMap(({ LifecycleHookName: hook = '' }) => {
          const name = hookTask(hook, group);
          if (name === undefined) return [];
          const description = `lifecycle hook ${hook} of ${AutoScalingGroupName ?? ''}`;
          return [
            {
              name,
              description,
              handle: `${AutoScalingGroupName ?? ''} ${hook}`,
            },
          ];
        });
      }),
    );
    return hooks.flat();
  },
  async remove({ handle }, aws) {
    const [AutoScalingGroupName, LifecycleHookName] = handle.split(' ');
    await aws.autoScaling.send(new DeleteLifecycleHookCommand({ AutoScalingGroupName, LifecycleHookName }));
  },
});

/** The task that a hook is of; hooks of other names are not ours. */
function hookTask(hook: string, group: string): string | undefined {
  if (hook === `${group}-NTHLifecycleHook`) return hook;
  return hook === 'kops-warmpool' ? `${hook}-${group}` : undefined;
}

async function putHook(props: PropsOf<'aws/LifecycleHook'>, aws: AwsCloud): Promise<void> {
  await aws.autoScaling.send(
    new PutLifecycleHookCommand({
      AutoScalingGroupName: props.group,
      LifecycleHookName: props.name,
      LifecycleTransition: props.transition,
      DefaultResult: props.defaultResult,
      HeartbeatTimeout: props.heartbeatSeconds,
    }),
  );
}

function plain(fields: object): JsonObject {
  const copy: Readonly<Record<string, Json>> = JSON.parse(JSON.stringify(fields));
  return copy;
}
