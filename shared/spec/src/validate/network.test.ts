import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { validateNetwork } from './network.ts';

const faultsOf = (spec: ClusterSpec, routesPods: 'cloud' | 'machines' = 'cloud', hasPrefixLists = false) => {
  const metadata = { name: 'demo.example.com' };
  const cluster = { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata, spec } as const;
  return [...validateNetwork(cluster, { routesPods, hasPrefixLists })].map(({ path, message }) => `${path} ${message}`);
};
const subnet = (cidr: string) => ({ name: 'a', cidr, type: 'Public' });

test.each<[string, ClusterSpec, readonly string[]]>([
  [
    'a subnet with addresses of Services',
    {
      additionalNetworkCIDRs: ['100.64.0.0/16'],
      networkCIDR: '10.0.0.0/16',
      serviceClusterIPRange: '100.64.0.0/13',
      subnets: [subnet('100.64.1.0/24')],
    },
    ['spec.subnets[0].cidr 100.64.1.0/24 overlaps spec.serviceClusterIPRange (100.64.0.0/13)'],
  ],
  [
    'a subnet with addresses of pods',
    {
      networkCIDR: '10.0.0.0/16',
      podCIDR: '100.96.0.0/11',
      additionalNetworkCIDRs: ['100.96.0.0/16'],
      subnets: [subnet('100.96.1.0/24')],
    },
    ['spec.subnets[0].cidr 100.96.1.0/24 overlaps spec.podCIDR (100.96.0.0/11)'],
  ],
  [
    'pods with addresses of the network',
    {
      networkCIDR: '10.0.0.0/16',
      nonMasqueradeCIDR: '10.0.0.0/16',
      podCIDR: '10.0.0.0/16',
      networking: { amazonvpc: {} },
      subnets: [subnet('10.0.1.0/24')],
    },
    [],
  ],
  ['pods and Services of one range', { podCIDR: '100.64.0.0/10', serviceClusterIPRange: '100.64.0.0/13' }, []],
  [
    'IPv6 but for ::/0',
    { nonMasqueradeCIDR: 'fd00:10::/56' },
    ['spec.nonMasqueradeCIDR fd00:10::/56 is a range of IPv6 other than ::/0'],
  ],
  [
    'ranges of IPv4 in a cluster with IPv6 alone',
    { nonMasqueradeCIDR: '::/0', serviceClusterIPRange: '100.64.0.0/13', podCIDR: '100.96.0.0/11' },
    [
      'spec.serviceClusterIPRange 100.64.0.0/13 is a range of IPv4, and this cluster has only IPv6 (spec.nonMasqueradeCIDR)',
      'spec.podCIDR 100.96.0.0/11 is a range of IPv4, and this cluster has only IPv6 (spec.nonMasqueradeCIDR)',
    ],
  ],
  ['a range of IPv6 for Services', { nonMasqueradeCIDR: '::/0', serviceClusterIPRange: 'fd00:5e4f:ce::/108' }, []],
])('%s', (_what, spec, expected) => {
  expect(faultsOf(spec)).toEqual(expected);
});

test('pods and Services are apart where machines give pods their ranges', () => {
  const spec = { podCIDR: '100.64.0.0/10', serviceClusterIPRange: '100.64.0.0/13' };
  expect(faultsOf(spec, 'machines')).toEqual([
    'spec.podCIDR 100.64.0.0/10 overlaps spec.serviceClusterIPRange (100.64.0.0/13)',
  ]);
});

test('prefix lists have ids where the cloud has such lists', () => {
  const spec = { sshAccess: ['pl-0123456789abcdef0', '10.0.0.0/8'] };
  expect(faultsOf(spec, 'cloud', true)).toEqual([]);
  expect(faultsOf(spec)).toEqual([
    "spec.sshAccess[0] 'pl-0123456789abcdef0' is a prefix list, which this cloud does not have",
  ]);
});

test('kops looks at the prefix of clusterCIDR alone, and so do the components that get it', () => {
  expect(
    faultsOf({
      kubeControllerManager: { clusterCIDR: '100.96.0.1/11' },
      kubeProxy: { ipvsExcludeCidrs: ['10.1.2.3/8'] },
    }),
  ).toEqual([]);
});

test('a subnet of both families is one of a cluster with IPv6', () => {
  const subnets = [{ ...subnet('10.0.1.0/24'), type: 'DualStack' }];
  expect(faultsOf({ nonMasqueradeCIDR: '::/0', subnets })).toEqual([]);
  const refusals = ['spec.subnets[0].type only clusters with IPv6 alone have subnets of type DualStack'];
  expect(faultsOf({ nonMasqueradeCIDR: '100.64.0.0/10', subnets })).toEqual(refusals);
  expect(faultsOf({ subnets })).toEqual(refusals);
});

test('ranges of components are ranges', () => {
  expect(
    faultsOf({ kubeControllerManager: { clusterCIDR: 'all' }, kubeProxy: { ipvsExcludeCidrs: ['10.0.0.0/8', 'ten'] } }),
  ).toEqual([
    "spec.kubeControllerManager.clusterCIDR 'all' is not a range of addresses",
    "spec.kubeProxy.ipvsExcludeCidrs[1] 'ten' is not a range of addresses",
  ]);
});
