import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { validateIpv6 } from './validate-ipv6.ts';

const group = (name: string, role: 'Master' | 'Node' | 'APIServer' | 'Bastion', subnet: string): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { role, subnets: [subnet] },
});
const GROUPS = [
  group('cp', 'Master', 'dualstack'),
  group('nodes', 'Node', 'private'),
  group('bastions', 'Bastion', 'utility'),
];
const SPEC = {
  kubernetesVersion: '1.36.3',
  nonMasqueradeCIDR: '::/0',
  api: { loadBalancer: {} },
  subnets: [
    { name: 'private', type: 'Private', ipv6CIDR: '/64#1' },
    { name: 'dualstack', type: 'DualStack', cidr: '10.0.1.0/24', ipv6CIDR: '/64#2' },
    { name: 'utility', type: 'Utility', cidr: '10.0.2.0/24' },
  ],
} as const satisfies ClusterSpec;
const [PRIVATE, DUALSTACK, UTILITY] = SPEC.subnets;

const faultsOf = (spec: ClusterSpec, groups: readonly InstanceGroup[] = GROUPS) =>
  [...validateIpv6({ ...SPEC, ...spec }, groups)].map(({ path, message }) => `${path}: ${message}`);

interface Accepted {
  readonly title: string;
  readonly spec: ClusterSpec;
  readonly groups?: readonly InstanceGroup[];
}

test.each<Accepted>([
  { title: 'workers with IPv6 alone, control planes with both, a bastion with IPv4', spec: {} },
  { title: 'subnets that exist already', spec: { subnets: [{ name: 'private', id: 'subnet-1' }] } },
  {
    title: 'ranges that nobody knows before that of the network',
    spec: { networkID: 'vpc-1', subnets: [PRIVATE, { ...DUALSTACK, cidr: '' }, UTILITY] },
  },
  {
    title: 'control planes with IPv6 alone and no load balancer',
    spec: { api: { dns: {} } },
    groups: [group('cp', 'Master', 'private')],
  },
  {
    title: 'IPv4',
    spec: { nonMasqueradeCIDR: '100.64.0.0/10', kubernetesVersion: '1.22.17', subnets: [UTILITY] },
  },
])('accepts $title', ({ spec, groups }) => {
  expect(faultsOf(spec, groups)).toEqual([]);
});

test('machines need a subnet with IPv6', () => {
  expect(faultsOf({ subnets: [{ ...PRIVATE, ipv6CIDR: '', cidr: '10.0.0.0/24' }, DUALSTACK, UTILITY] })).toEqual([
    'spec.subnets[0].ipv6CIDR: the machines of nodes would have no IPv6 address, by which they are known in this cluster',
  ]);
});

test('control planes behind the load balancer of the API need a subnet with IPv4 too', () => {
  expect(faultsOf({}, [group('cp', 'Master', 'private'), group('apis', 'APIServer', 'private')])).toEqual([
    'spec.subnets[0].cidr: the load balancer of the API reaches the machines of cp by IPv4, which this subnet does not have',
  ]);
  expect(faultsOf({}, [group('apis', 'APIServer', 'private')])).toEqual([]);
  expect(faultsOf({ networkCIDR: '10.0.0.0/16', subnets: [PRIVATE, { ...DUALSTACK, cidr: '' }, UTILITY] })).toEqual([
    'spec.subnets[1].cidr: the load balancer of the API reaches the machines of cp by IPv4, which this subnet does not have',
  ]);
});

test('addresses of Nodes have to be of IPv6 too', () => {
  expect(faultsOf({ cloudConfig: { nodeIPFamilies: ['ipv6', 'ipv4'] } })).toEqual([]);
  expect(faultsOf({ cloudConfig: { nodeIPFamilies: ['ipv4'] } })).toEqual([
    'spec.cloudConfig.nodeIPFamilies: Nodes would have no IPv6 addresses (ipv4), by which their kubelets register them in this cluster',
  ]);
});

test('versions whose own cloud provider registers Nodes are refused', () => {
  expect(faultsOf({ kubernetesVersion: '1.23.17' })).toEqual([
    'spec.kubernetesVersion: the cloud provider within Kubernetes 1.23.17 gives Nodes no IPv6 addresses',
  ]);
});
