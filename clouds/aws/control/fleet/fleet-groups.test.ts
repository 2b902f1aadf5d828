import type { AutoScalingGroup } from '@aws-sdk/client-auto-scaling';
import { expect, test } from 'vitest';
import { nodeNaming } from '../../node/node-name.ts';
import { DETACHED_TAG, fleetGroups, madeByKopsctl } from './fleet-groups.ts';

const OWN = [
  { Key: 'KubernetesCluster', Value: 'demo' },
  { Key: 'k8s.io/role/node', Value: '1' },
  { Key: 'kops.k8s.io/instancegroup', Value: 'nodes' },
];
const member = (InstanceId: string, Version: string, LifecycleState = 'InService', LaunchTemplateId = 'lt-1') => ({
  InstanceId,
  LifecycleState,
  LaunchTemplate: { LaunchTemplateId, Version },
});
const group = (...Instances: readonly ReturnType<typeof member>[]) =>
  ({
    AutoScalingGroupName: 'nodes.demo',
    Tags: OWN,
    DesiredCapacity: 2,
    LaunchTemplate: { LaunchTemplateId: 'lt-1', Version: '$Latest' },
    Instances,
  }) as unknown as AutoScalingGroup;

const instance = (instanceId: string, tags: Record<string, string> = {}, state = 'running') =>
  [
    instanceId,
    { instanceId, state, address: '10.0.0.1', ipv6Address: '', externalAddresses: [], privateDnsName: '', tags },
  ] as const;

const standing = (groups: readonly AutoScalingGroup[], ...instances: readonly ReturnType<typeof instance>[]) =>
  fleetGroups({
    clusterName: 'demo',
    groups,
    instances: new Map(instances),
    newestVersions: new Map([['lt-1', '7']]),
    naming: nodeNaming({}),
  }).flatMap(({ machines }) => machines.map((one) => `${one.id} ${one.standing} ${one.isCurrent ? 'current' : 'old'}`));

test('a machine is current if it was launched from the newest version of the template of its group', () => {
  const groups = [group(member('i-1', '7'), member('i-2', '6'), member('i-3', '7', 'InService', 'lt-other'))];
  expect(standing(groups, instance('i-1'), instance('i-2'), instance('i-3'))).toEqual([
    'i-1 counted current',
    'i-2 counted old',
    'i-3 counted old',
  ]);
});

test('where a group names the version by a word, the tag of EC2 says which it was', () => {
  const groups = [group(member('i-1', '$Latest'), member('i-2', '$Latest'), member('i-3', '$Latest'))];
  const tagged = (id: string, version: string) => instance(id, { 'aws:ec2launchtemplate:version': version });
  expect(standing(groups, tagged('i-1', '7'), tagged('i-2', '6'), instance('i-3'))).toEqual([
    'i-1 counted current',
    'i-2 counted old',
    'i-3 counted old',
  ]);
});

test('machines of the warm pool and detached ones are told apart, and those that end are gone', () => {
  const groups = [
    group(member('i-1', '7', 'Warmed:Stopped'), member('i-2', '7', 'Terminating:Wait'), member('i-3', '7')),
  ];
  const mark = { [DETACHED_TAG]: 'nodes.demo' };
  const instances = [
    instance('i-1', {}, 'stopped'),
    instance('i-3', {}, 'shutting-down'),
    instance('i-4', mark),
    instance('i-5', mark, 'terminated'),
  ];
  expect(standing(groups, ...instances)).toEqual(['i-1 warm current', 'i-4 detached old']);
});

test('groups of other clusters are left alone', () => {
  const other = { ...group(member('i-1', '6')), Tags: [{ Key: 'KubernetesCluster', Value: 'other' }, ...OWN.slice(1)] };
  expect(standing([other], instance('i-1'))).toEqual([]);
});

test('a machine is of kopsctl if the version that it was launched from is, and a group if its newest version is', () => {
  const groups = [group(member('i-1', '6'), member('i-2', '$Latest'), member('i-3', '7'), member('i-4', '$Latest'))];
  const tag = { 'aws:ec2launchtemplate:version': '6' };
  const instances = [instance('i-1'), instance('i-2', tag), instance('i-3'), instance('i-4')];
  const made = (newest: string, ...ours: readonly string[]) => {
    const newestVersions = new Map([['lt-1', newest]]);
    const naming = nodeNaming({});
    const facts = { clusterName: 'demo', groups, instances: new Map(instances), newestVersions, naming };
    return madeByKopsctl(facts, new Map([['lt-1', new Set(ours)]]));
  };
  expect(made('7', '7')).toEqual({ groups: ['nodes'], machines: ['i-3', 'i-4'] });
  expect(made('8', '6')).toEqual({ groups: [], machines: ['i-1', 'i-2'] });
  expect(made('7')).toEqual({ groups: [], machines: [] });
});
