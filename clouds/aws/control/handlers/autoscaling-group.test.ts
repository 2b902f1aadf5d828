import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { type Tags, tagList } from '../../node/tag-list.ts';
import { groupMetrics } from '../defaults.ts';
import { DETACHED_TAG } from '../fleet/fleet-groups.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { autoscalingGroupHandler } from './autoscaling-group.ts';
import { answeredAccount } from './testdata/answered-account.ts';

type Props = PropsOf<'aws/AutoscalingGroup'>;

const CLUSTER = 'demo.example.com';
const GROUP = `nodes.${CLUSTER}`;

interface Instance {
  readonly id: string;
  readonly state: string;
  readonly detachedFrom?: string;
}

/** An account with one group, which is gone once it is deleted. `sent` are the changes in their order. */
function account(instances: readonly Instance[]) {
  const sent: string[] = [];
  let isThere = true;
  const answer = (command: string, input: object): object => {
    switch (command) {
      case 'DescribeAutoScalingGroupsCommand':
        return { AutoScalingGroups: isThere ? [{ AutoScalingGroupName: GROUP }] : [] };
      case 'DescribeInstancesCommand':
        return { Reservations: [{ Instances: instances.map((one) => described(one)) }] };
      case 'TerminateInstancesCommand':
        sent.push(`end ${String(Reflect.get(input, 'InstanceIds'))}`);
        return {};
      case 'DeleteAutoScalingGroupCommand':
        isThere = false;
        sent.push(`delete ${String(Reflect.get(input, 'AutoScalingGroupName'))}`);
        return {};
      default:
        throw new Error(`${command} was not expected`);
    }
  };
  const aws = answeredAccount({ clusterName: CLUSTER }, answer);
  const owned = { name: GROUP, description: `auto-scaling group ${GROUP}`, handle: GROUP };
  return { sent, remove: () => autoscalingGroupHandler.remove?.(owned, { aws }, AbortSignal.any([])) };
}

const described = ({ id, state, detachedFrom }: Instance) => ({
  InstanceId: id,
  State: { Name: state },
  Tags: detachedFrom === undefined ? [] : [{ Key: DETACHED_TAG, Value: detachedFrom }],
});

test('with a group, the machines go that a rolling update took out of it, and no others', async () => {
  const { sent, remove } = account([
    { id: 'i-in', state: 'running' },
    { id: 'i-out', state: 'running', detachedFrom: GROUP },
    { id: 'i-ended', state: 'terminated', detachedFrom: GROUP },
    { id: 'i-other', state: 'running', detachedFrom: `other.${CLUSTER}` },
  ]);
  await remove();
  expect(sent).toEqual(['end i-out', `delete ${GROUP}`]);
});

/** A group of one machine, as `props` has it but for what `differs`. `sent` are the inputs of the requests that change it. */
function existingGroup(props: Partial<Props>, differs: Partial<AutoScalingGroup>) {
  const sent: (readonly [command: string, input: object])[] = [];
  const wanted: Props = {
    name: GROUP,
    launchTemplate: 'lt-1',
    launchTemplateVersion: '1',
    minSize: 1,
    maxSize: 1,
    subnets: ['subnet-1'],
    classicLoadBalancers: [],
    targetGroups: [],
    suspendedProcesses: [],
    protectFromScaleIn: false,
    tags: {},
    ...props,
  };
  const group: AutoScalingGroup = {
    AutoScalingGroupName: GROUP,
    MinSize: 1,
    MaxSize: 1,
    DesiredCapacity: 1,
    DefaultCooldown: 300,
    AvailabilityZones: ['us-east-1a'],
    HealthCheckType: 'EC2',
    CreatedTime: new Date(0),
    VPCZoneIdentifier: 'subnet-1',
    EnabledMetrics: groupMetrics(wanted).map((Metric) => ({ Metric })),
    LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '$Latest' },
    ...differs,
  };
  const aws = answeredAccount({ clusterName: CLUSTER }, (command, input) => {
    if (command === 'DescribeAutoScalingGroupsCommand') return { AutoScalingGroups: [group] };
    sent.push([command, input]);
    return {};
  });
  const signal = AbortSignal.any([]);
  const plan = async () =>
    autoscalingGroupHandler.plan(GROUP, wanted, await autoscalingGroupHandler.find(GROUP, wanted, { aws }, signal));
  const apply = async () => {
    for (const step of await plan()) await autoscalingGroupHandler.apply(step, GROUP, wanted, { aws }, signal);
  };
  return { sent, plan, apply };
}

const atMost = (spotMaxPrice: string) => ({ mixedInstances: { machineTypes: ['t3.medium'], spotMaxPrice } });

const spotPolicy = (SpotMaxPrice: string | undefined): Partial<AutoScalingGroup> => ({
  MixedInstancesPolicy: {
    InstancesDistribution: {
      OnDemandPercentageAboveBaseCapacity: 0,
      ...(SpotMaxPrice === undefined ? {} : { SpotMaxPrice }),
    },
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', LaunchTemplateName: GROUP, Version: '$Latest' },
      Overrides: [{ InstanceType: 't3.medium' }],
    },
  },
});

test('a highest price of spot machines that the spec no longer has is taken from the group', async () => {
  const { sent, apply } = existingGroup(atMost(''), spotPolicy('0.05'));
  await apply();
  const MixedInstancesPolicy: unknown = expect.objectContaining({ InstancesDistribution: { SpotMaxPrice: '' } });
  expect(sent).toEqual([['UpdateAutoScalingGroupCommand', expect.objectContaining({ MixedInstancesPolicy })]]);
});

test.for([undefined, ''])('a group without a highest price (%s) that is to have none is as wanted', async (price) => {
  expect(await existingGroup(atMost(''), spotPolicy(price)).plan()).toEqual([]);
});

const TAINT = 'k8s.io/cluster-autoscaler/node-template/taint/dedicated';
const STACK = 'aws:cloudformation:stack-name';
const tagged = (tags: Tags): Partial<AutoScalingGroup> => ({
  Tags: tagList(tags).map((tag) => ({ ...tag, ResourceId: GROUP, ResourceType: 'auto-scaling-group' })),
});

test('a group loses the tags that the spec no longer gives it, and gets those that it lacks', async () => {
  const { sent, apply } = existingGroup(
    { tags: { Name: GROUP, team: 'b' } },
    tagged({ Name: GROUP, team: 'a', [TAINT]: 'gpu:NoSchedule', [STACK]: 'network' }),
  );
  await apply();
  const named = { ResourceId: GROUP, ResourceType: 'auto-scaling-group' };
  expect(sent).toEqual([
    ['DeleteTagsCommand', { Tags: [{ Key: TAINT, ...named }] }],
    [
      'CreateOrUpdateTagsCommand',
      {
        Tags: [
          { Key: 'Name', Value: GROUP, PropagateAtLaunch: true, ...named },
          { Key: 'team', Value: 'b', PropagateAtLaunch: true, ...named },
        ],
      },
    ],
  ]);
});

test('tags that AWS itself puts on a group, which nobody else can remove, are no difference', async () => {
  expect(await existingGroup({ tags: { Name: GROUP } }, tagged({ Name: GROUP, [STACK]: 'network' })).plan()).toEqual(
    [],
  );
});
