import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { validateMachines } from './validate-machines.ts';

const ARN = 'arn:aws:elasticloadbalancing:us-east-1:000000000000:targetgroup';
const faultsOf = (spec: InstanceGroupSpec) =>
  [
    ...validateMachines({
      apiVersion: 'kops.k8s.io/v1alpha2',
      kind: 'InstanceGroup',
      metadata: { name: 'nodes' },
      spec,
    }),
  ].map(({ path, message }) => `${path.replace('spec.', '')}: ${message}`);

test.each<InstanceGroupSpec>([
  {},
  { additionalSecurityGroups: ['sg-1'] },
  { maxInstanceLifetime: '0' },
  { maxInstanceLifetime: '0s' },
  { maxInstanceLifetime: '48h20m' },
  { spotDurationInMinutes: 120 },
  { maxPrice: '' },
  { tenancy: 'default', machineType: 't2.micro' },
  { tenancy: 'dedicated', machineType: 't3.micro' },
  { maxPrice: '0.0345' },
  { maxPrice: '2' },
  { instanceMetadata: { httpPutResponseHopLimit: 64 } },
  {
    volumes: [
      { device: '/dev/xvdd', size: 20 },
      { device: '/dev/xvde', size: 1 },
    ],
  },
  {
    machineType: 'm5.large',
    maxSize: 4,
    mixedInstancesPolicy: { instances: ['m5.large', 'm5a.large,m6i.large'], onDemandBase: 4, onDemandAboveBase: 0 },
  },
  { machineType: 'g4dn.xlarge', mixedInstancesPolicy: { instances: ['g5.xlarge', 'p3.2xlarge'] } },
  { iam: { profile: 'arn:aws-cn:iam::123456789012:instance-profile/nodes' } },
  { externalLoadBalancers: [{ loadBalancerName: 'web' }, { targetGroupArn: `${ARN}/web/1` }] },
])('a group with %j is accepted', (spec) => {
  expect(faultsOf(spec)).toEqual([]);
});

test.each<readonly [InstanceGroupSpec, string]>([
  [{ additionalSecurityGroups: ['web'] }, "additionalSecurityGroups[0]: 'web' is not the id of a security group"],
  [{ maxInstanceLifetime: '12h' }, 'maxInstanceLifetime: 12h is less than a day'],
  [{ maxInstanceLifetime: 'week' }, "maxInstanceLifetime: 'week' is not a duration"],
  [{ tenancy: 'dedicated', machineType: 't2.micro' }, 'tenancy: EC2 has no dedicated machines of type t2.micro'],
  [{ maxPrice: '$0.10' }, "maxPrice: '$0.10' is not a price"],
  [{ maxPrice: '0,10' }, "maxPrice: '0,10' is not a price"],
  [{ spotDurationInMinutes: 90 }, 'spotDurationInMinutes: expected one of 60, 120, 180, 240, 300, 360, found 90'],
  [
    { instanceMetadata: { httpPutResponseHopLimit: 65 } },
    'instanceMetadata.httpPutResponseHopLimit: 65 is not between 1 and 64',
  ],
  [
    { instanceMetadata: { httpPutResponseHopLimit: 0 } },
    'instanceMetadata.httpPutResponseHopLimit: 0 is not between 1 and 64',
  ],
  [
    { role: 'Master', manager: 'Karpenter' },
    'manager: Karpenter makes nodes alone, and this group has the role Master',
  ],
  [{ role: 'Node', manager: 'Karpenter', maxSize: 0 }, 'maxSize: Karpenter may make 0 machines'],
  [{ rootVolumeIops: -1 }, 'rootVolumeIops: -1 is negative'],
  [{ rootVolumeSize: -1 }, 'rootVolumeSize: -1 is negative'],
  [
    { suspendProcesses: ['AZRebalance', 'Reboot'] },
    "suspendProcesses[1]: expected one of AddToLoadBalancer, AlarmNotification, AZRebalance, HealthCheck, InstanceRefresh, Launch, ReplaceUnhealthy, ScheduledActions, Terminate, found 'Reboot'",
  ],
  [{ rootVolumeThroughput: -1 }, 'rootVolumeThroughput: -1 is negative'],
  [{ volumes: [{ size: 20 }] }, 'volumes[0].device: must be set'],
  [{ volumes: [{ device: '/dev/xvdd' }] }, 'volumes[0].size: 0 GiB is not the size of a volume'],
  [
    {
      volumes: [
        { device: '/dev/xvdd', size: 1 },
        { device: '/dev/xvdd', size: 1 },
      ],
    },
    'volumes[1].device: is the same as that of spec.volumes[0]',
  ],
  [{ mixedInstancesPolicy: { onDemandBase: -1 } }, 'mixedInstancesPolicy.onDemandBase: -1 is negative'],
  [
    { maxSize: 2, mixedInstancesPolicy: { onDemandBase: 3 } },
    'mixedInstancesPolicy.onDemandBase: 3 is more than spec.maxSize (2)',
  ],
  [
    { mixedInstancesPolicy: { onDemandAboveBase: 101 } },
    'mixedInstancesPolicy.onDemandAboveBase: 101 is not a percentage',
  ],
  [
    { machineType: 'm5.large', mixedInstancesPolicy: { instances: ['m5.large', 'g5.xlarge'] } },
    'mixedInstancesPolicy.instances[1]: g5.xlarge has a GPU, and m5.large none',
  ],
  [
    { machineType: 'p3.2xlarge', mixedInstancesPolicy: { instances: ['m5.large'] } },
    'mixedInstancesPolicy.instances[0]: m5.large has no GPU, and p3.2xlarge has one',
  ],
  [{ iam: { profile: 'nodes' } }, "iam.profile: 'nodes' is not the ARN of an instance profile"],
  [
    { externalLoadBalancers: [{ loadBalancerName: 'web', targetGroupArn: `${ARN}/web/1` }] },
    'externalLoadBalancers[0]: names a load balancer and a target group',
  ],
  [
    { externalLoadBalancers: [{ loadBalancerName: 'w'.repeat(33) }] },
    `externalLoadBalancers[0].loadBalancerName: '${'w'.repeat(33)}' has more than 32 characters`,
  ],
  [
    { externalLoadBalancers: [{ targetGroupArn: 'web' }] },
    "externalLoadBalancers[0].targetGroupArn: 'web' is not the ARN of a target group",
  ],
  [
    { externalLoadBalancers: [{ targetGroupArn: `${ARN}/${'w'.repeat(33)}/1` }] },
    `externalLoadBalancers[0].targetGroupArn: the name '${'w'.repeat(33)}' has more than 32 characters`,
  ],
])('a group with %j is refused', (spec, expected) => {
  expect(faultsOf(spec)).toEqual([expected]);
});
