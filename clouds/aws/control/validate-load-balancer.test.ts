import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { validateLoadBalancer } from './validate-load-balancer.ts';

type LoadBalancer = NonNullable<NonNullable<ClusterSpec['api']>['loadBalancer']>;

const SUBNETS = [
  { name: 'us-east-1a', cidr: '172.20.32.0/19', type: 'Private' },
  { name: 'us-east-1b', cidr: '172.20.64.0/19', type: 'Private' },
];
const faultsOf = (loadBalancer: LoadBalancer, subnets: ClusterSpec['subnets'] = SUBNETS) =>
  [...validateLoadBalancer({ api: { loadBalancer }, subnets })].map(({ path, message, hint = '' }) =>
    `${path.replace('spec.api.loadBalancer.', '')}: ${message} ${hint}`.trim(),
  );

test.each<LoadBalancer>([
  {},
  { type: 'Public', class: 'Network', subnets: [{ name: 'us-east-1b', allocationId: 'eipalloc-1' }] },
  { type: 'Internal', subnets: [{ name: 'us-east-1a', privateIPv4Address: '172.20.32.10' }] },
  { additionalSecurityGroups: ['sg-1', 'sg-2'], securityGroupOverride: 'sg-3' },
  {
    sslCertificate: 'arn:aws:acm:us-east-1:000000000000:certificate/a',
    sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
  },
])('the load balancer %j is accepted', (wish) => {
  expect(faultsOf(wish)).toEqual([]);
});

test.each<readonly [LoadBalancer, string]>([
  [
    { subnets: [{ name: 'us-east-1c' }] },
    "subnets[0].name: the cluster has no subnet 'us-east-1c' did you mean us-east-1a?",
  ],
  [{ subnets: [{}] }, "subnets[0].name: must be set the cluster's subnets: us-east-1a, us-east-1b"],
  [
    { type: 'Internal', subnets: [{ name: 'us-east-1a', privateIPv4Address: '172.20.64.10' }] },
    'subnets[0].privateIPv4Address: 172.20.64.10 is not within the subnet (172.20.32.0/19)',
  ],
  [
    { type: 'Internal', subnets: [{ name: 'us-east-1a', privateIPv4Address: 'ten' }] },
    "subnets[0].privateIPv4Address: 'ten' is not an IPv4 address",
  ],
  [
    { type: 'Public', subnets: [{ name: 'us-east-1a', privateIPv4Address: '172.20.32.10' }] },
    'subnets[0].privateIPv4Address: only an internal load balancer has private addresses of its own',
  ],
  [
    { type: 'Internal', subnets: [{ name: 'us-east-1a', allocationId: 'eipalloc-1' }] },
    'subnets[0].allocationId: an internal load balancer has no elastic IP remove this field',
  ],
  [
    { additionalSecurityGroups: ['web'] },
    "additionalSecurityGroups[0]: 'web' is not the id of a security group such as sg-0123456789abcdef0",
  ],
  [{ additionalSecurityGroups: ['sg-1', 'sg-1'] }, 'additionalSecurityGroups[1]: sg-1 is listed twice'],
  [
    { securityGroupOverride: 'web' },
    "securityGroupOverride: 'web' is not the id of a security group such as sg-0123456789abcdef0",
  ],
  [
    { type: 'Internal', useForInternalApi: true },
    'useForInternalApi: a control plane cannot reach itself through an internal network load balancer remove this field',
  ],
  [
    { sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06' },
    'sslPolicy: TLS ends at the API servers set sslCertificate, or remove this field',
  ],
])('the load balancer %j is refused', (wish, expected) => {
  expect(faultsOf(wish)).toEqual([expected]);
});
