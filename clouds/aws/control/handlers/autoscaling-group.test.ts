import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { groupMetrics } from '../defaults.ts';
import { DETACHED_TAG } from '../fleet/fleet-groups.ts';
import type { PropsOf } from '../kinds/aws-kinds.ts';
import { autoscalingGroupHandler } from './autoscaling-group.ts';
import { answeredAccount } from './testdata/answered-account.ts';

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

/** A group that is as wanted, but perhaps for the highest price of its spot machines. `policies` are those sent to AWS. */
function spotGroup(price: string | undefined, wantedPrice: string) {
  const policies: unknown[] = [];
  const props: PropsOf<'aws/AutoscalingGroup'> = {
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
    mixedInstances: { machineTypes: ['t3.medium'], spotMaxPrice: wantedPrice },
    tags: {},
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
    EnabledMetrics: groupMetrics(props).map((Metric) => ({ Metric })),
    MixedInstancesPolicy: {
      InstancesDistribution: {
        OnDemandPercentageAboveBaseCapacity: 0,
        ...(price === undefined ? {} : { SpotMaxPrice: price }),
      },
      LaunchTemplate: {
        LaunchTemplateSpecification: { LaunchTemplateId: 'lt-1', LaunchTemplateName: GROUP, Version: '$Latest' },
        Overrides: [{ InstanceType: 't3.medium' }],
      },
    },
  };
  const aws = answeredAccount({ clusterName: CLUSTER }, (command, input) => {
    if (command === 'DescribeAutoScalingGroupsCommand') return { AutoScalingGroups: [group] };
    if (command !== 'UpdateAutoScalingGroupCommand') throw new Error(`${command} was not expected`);
    policies.push(Reflect.get(input, 'MixedInstancesPolicy'));
    return {};
  });
  const signal = AbortSignal.any([]);
  const plan = async () =>
    autoscalingGroupHandler.plan(GROUP, props, await autoscalingGroupHandler.find(GROUP, props, { aws }, signal));
  const apply = async () => {
    for (const step of await plan()) await autoscalingGroupHandler.apply(step, GROUP, props, { aws }, signal);
  };
  return { policies, plan, apply };
}

test('a highest price of spot machines that the spec no longer has is taken from the group', async () => {
  const { policies, apply } = spotGroup('0.05', '');
  await apply();
  expect(policies).toEqual([expect.objectContaining({ InstancesDistribution: { SpotMaxPrice: '' } })]);
});

test.for([undefined, ''])('a group without a highest price (%s) that is to have none is as wanted', async (price) => {
  expect(await spotGroup(price, '').plan()).toEqual([]);
});
