import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { validateSubnets } from './validate-subnets.ts';

type Subnet = NonNullable<ClusterSpec['subnets']>[number];

const faultsOf = (...subnets: readonly Subnet[]) =>
  [...validateSubnets({ networkCIDR: '172.20.0.0/16', subnets })].map(
    ({ path, message }) => `${path.replace('spec.subnets', '')}: ${message}`,
  );
const routed = (cidr: string, target: string): Subnet => ({ type: 'Private', additionalRoutes: [{ cidr, target }] });

test.each<Subnet>([
  { type: 'Private', egress: 'nat-0123456789abcdef0' },
  { type: 'Private', egress: 'eipalloc-1' },
  { type: 'DualStack', egress: 'i-1' },
  { type: 'Public', egress: 'External' },
  { type: 'Public', egress: 'tgw-1', ipv6CIDR: '/64#a' },
  { type: 'Public', ipv6CIDR: '2001:db8:0:1::/64' },
  routed('192.168.0.0/16', 'pcx-1'),
  routed('172.20.5.0/24', 'i-1'),
])('the subnet %j is accepted', (subnet) => {
  expect(faultsOf(subnet)).toEqual([]);
});

test.each<readonly [Subnet, string]>([
  [{ type: 'Private', egress: 'natgw' }, "[0].egress: 'natgw' is not a way out of a subnet"],
  [{ type: 'Public', egress: 'nat-1' }, '[0].egress: a Public subnet reaches the internet without it'],
  [{ type: 'Utility', egress: 'nat-1' }, '[0].egress: a Utility subnet reaches the internet without it'],
  [{ type: 'Public', ipv6CIDR: '/129#1' }, "[0].ipv6CIDR: '/129#1' is not a range of IPv6"],
  [{ type: 'Public', ipv6CIDR: '10.0.0.0/16' }, "[0].ipv6CIDR: '10.0.0.0/16' is not a range of IPv6"],
  [{ type: 'Public', ipv6CIDR: '2001:db8:0:1::1/64' }, "[0].ipv6CIDR: '2001:db8:0:1::1/64' has bits beyond its prefix"],
  [routed('192.168.7.0/16', 'tgw-1'), "[0].additionalRoutes[0].cidr: '192.168.7.0/16' has bits beyond its prefix"],
  [routed('192.168.0.0/16', 'vgw-1'), "[0].additionalRoutes[0].target: 'vgw-1' is not the target of a route"],
  [routed('all', 'tgw-1'), "[0].additionalRoutes[0].cidr: 'all' is not a range of addresses"],
  [
    routed('172.20.5.0/24', 'pcx-1'),
    '[0].additionalRoutes[0].target: 172.20.5.0/24 is a part of the VPC, which is not reached by a peering connection',
  ],
  [
    routed('172.20.0.0/16', 'tgw-1'),
    '[0].additionalRoutes[0].cidr: 172.20.0.0/16 is a range of the VPC, which has a route',
  ],
  [
    { type: 'Public', additionalRoutes: [{ cidr: '192.168.0.0/16', target: 'tgw-1' }] },
    '[0].additionalRoutes: only private subnets have them, and this one is Public',
  ],
  [
    { type: 'Private', id: 'subnet-1', additionalRoutes: [{ cidr: '192.168.0.0/16', target: 'tgw-1' }] },
    '[0].additionalRoutes: the routes of an existing subnet are not changed',
  ],
])('the subnet %j is refused', (subnet, expected) => {
  expect(faultsOf(subnet)).toEqual([expected]);
});

test('all zones are those of one region', () => {
  const zones = (...names: readonly string[]) => faultsOf(...names.map((zone) => ({ zone })));
  expect(zones('us-west-2a', 'us-west-2-lax-1a', 'us-west-2b')).toEqual([]);
  expect(zones('eusc-de-east-1a', 'eusc-de-east-1b')).toEqual([]);
  expect(zones('us-gov-west-1a')).toEqual([]);
  expect(zones('us-east-1a', 'us-west-2a')).toEqual([
    '[1].zone: is in another region than spec.subnets[0] (us-east-1a)',
  ]);
  expect(zones('us-east-1', 'us-east-1a')).toEqual(["[0].zone: 'us-east-1' is not a zone of AWS"]);
  expect(zones('a', '')).toEqual(["[0].zone: 'a' is not a zone of AWS", "[1].zone: '' is not a zone of AWS"]);
});

test('subnets are all shared or all made, and a route is listed once', () => {
  expect(faultsOf({ id: 'subnet-1' }, {})).toEqual(['[1].id: either all subnets exist already or none does']);
  const route = { cidr: '192.168.0.0/16', target: 'tgw-1' };
  expect(faultsOf({ type: 'Private', additionalRoutes: [route, route] })).toEqual([
    '[0].additionalRoutes[1].cidr: 192.168.0.0/16 is listed twice',
  ]);
});

test('private subnets of a zone share their way out', () => {
  const inZone = (zone: string, egress?: string, more: Subnet = {}): Subnet => ({
    type: 'Private',
    zone: `us-east-1${zone}`,
    ...(egress !== undefined && { egress }),
    ...more,
  });
  expect(faultsOf(inZone('a', 'nat-1'), inZone('a', 'nat-1'), inZone('b'), inZone('a', 'External'))).toEqual([]);
  expect(faultsOf(inZone('a', 'nat-1'), inZone('b'), inZone('a'))).toEqual([
    '[2].egress: differs from that of spec.subnets[0], which is in the same zone',
  ]);
  expect(faultsOf(inZone('a', undefined, { publicIP: '203.0.113.7' }), inZone('a'))).toEqual([
    '[1].publicIP: differs from that of spec.subnets[0], which is in the same zone',
  ]);
});
