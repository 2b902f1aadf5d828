import { contains, parseCidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';
import { validatePrefix } from '@kopsctl/spec/validate/network.ts';
import { isAwsZone, regionOfZone } from './region.ts';
import { isManaged, isOwn } from './subnet-kinds.ts';

type Subnet = NonNullable<ClusterSpec['subnets']>[number];

/** How a subnet reaches what is outside, by the beginning of an id (kops pkg/apis/kops/validation/validation.go). */
const EGRESS = ['nat-', 'eipalloc-', 'i-', 'tgw-'];
const EGRESS_HINT =
  'a NAT gateway (nat-…), an address for one (eipalloc-…), an instance (i-…), a transit gateway (tgw-…) or External';

/** What routes can lead to (kops pkg/apis/kops/validation/aws.go, awsValidateAdditionalRoutes). */
const TARGETS = ['pcx-', 'i-', 'nat-', 'tgw-', 'igw-', 'eigw-'];

/** The subnets of a VPC, and the routes from them. */
export function* validateSubnets(spec: ClusterSpec): Iterable<Fault> {
  const { subnets = [] } = spec;
  const [first] = subnets;
  for (const [index, subnet] of subnets.entries()) {
    const path = `spec.subnets[${index}]`;
    if (isShared(subnet) !== isShared(first)) {
      yield fault(`${path}.id`, 'either all subnets exist already or none does', 'make a cluster for each');
    }
    yield* placeOf(path, subnet, subnets);
    yield* egressOf(path, subnet);
    yield* wayOutOfZone(path, subnet, subnets);
    yield* ipv6Of(path, subnet);
    yield* routesOf(path, subnet, spec);
  }
}

const isShared = (subnet: Subnet = {}): boolean => !isOwn(subnet);

/** A cluster is in one region (kops upup/pkg/fi/cloudup/awsup/aws_utils.go, FindRegion). */
function* placeOf(path: string, { zone }: Subnet, all: readonly Subnet[]): Iterable<Fault> {
  if (zone === undefined) return;
  const first = all.findIndex((one) => one.zone !== undefined);
  const others = all[first]?.zone ?? zone;
  if (!isAwsZone(zone)) {
    yield fault(`${path}.zone`, `'${zone}' is not a zone of AWS`, 'write the region and a letter, such as us-east-1a');
  } else if (isAwsZone(others) && regionOfZone(zone) !== regionOfZone(others)) {
    const message = `is in another region than spec.subnets[${first}] (${others})`;
    yield fault(`${path}.zone`, message, 'make a cluster for each region');
  }
}

function* egressOf(path: string, { egress = '', type, ipv6CIDR }: Subnet): Iterable<Fault> {
  if (egress === '') return;
  if (egress !== 'External' && !EGRESS.some((prefix) => egress.startsWith(prefix))) {
    yield fault(`${path}.egress`, `'${egress}' is not a way out of a subnet`, EGRESS_HINT);
  }
  const hasWayOut = type === undefined || type === 'Private' || type === 'DualStack';
  if (egress === 'External' || hasWayOut || (type === 'Public' && ipv6CIDR !== undefined)) return;
  yield fault(`${path}.egress`, `a ${type} subnet reaches the internet without it`, 'remove this field');
}

/** Private subnets of a zone have one route table (kops pkg/model/awsmodel/network.go). */
function* wayOutOfZone(path: string, subnet: Subnet, all: readonly Subnet[]): Iterable<Fault> {
  const isHidden = ({ type, ...one }: Subnet): boolean =>
    (type === 'Private' || type === 'DualStack') && isOwn(one) && isManaged(one);
  const index = all.findIndex((one) => isHidden(one) && one.zone === subnet.zone);
  const first = all[index];
  if (first === undefined || !isHidden(subnet)) return;
  for (const field of ['egress', 'publicIP'] as const) {
    if ((subnet[field] ?? '') === (first[field] ?? '')) continue;
    const message = `differs from that of spec.subnets[${index}], which is in the same zone`;
    yield fault(`${path}.${field}`, message, 'give private subnets of one zone the same way out');
  }
}

/** A range of IPv6, or a part of that of the VPC: `/64#1`. */
function* ipv6Of(path: string, { ipv6CIDR = '' }: Subnet): Iterable<Fault> {
  const [, length] = /^\/(\d+)#[0-9a-f]+$/.exec(ipv6CIDR) ?? [];
  const range = parseCidr(ipv6CIDR);
  if (ipv6CIDR === '' || Number(length) <= 128) return;
  if (range?.family === 'ipv6') yield* validatePrefix(`${path}.ipv6CIDR`, ipv6CIDR, range);
  else yield fault(`${path}.ipv6CIDR`, `'${ipv6CIDR}' is not a range of IPv6`, 'such as /64#1, or 2001:db8:0:1::/64');
}

function* routesOf(path: string, subnet: Subnet, { networkCIDR, additionalNetworkCIDRs = [] }: ClusterSpec) {
  const { additionalRoutes: routes = [], type } = subnet;
  if (routes.length === 0) return;
  if (isShared(subnet)) {
    yield fault(`${path}.additionalRoutes`, 'the routes of an existing subnet are not changed', 'remove this field');
  } else if (type !== undefined && type !== 'Private') {
    yield fault(
      `${path}.additionalRoutes`,
      `only private subnets have them, and this one is ${type}`,
      'remove this field',
    );
  }
  const networks = [networkCIDR ?? '', ...additionalNetworkCIDRs].flatMap((text) => parseCidr(text) ?? []);
  for (const [index, { cidr = '', target = '' }] of routes.entries()) {
    const at = `${path}.additionalRoutes[${index}]`;
    const range = parseCidr(cidr);
    const around = range === undefined ? undefined : networks.find((network) => contains(network, range));
    if (!TARGETS.some((prefix) => target.startsWith(prefix))) {
      const hint = `one of ${TARGETS.map((prefix) => `${prefix}…`).join(', ')}`;
      yield fault(`${at}.target`, `'${target}' is not the target of a route`, hint);
    } else if (around !== undefined && target.startsWith('pcx-')) {
      yield fault(`${at}.target`, `${cidr} is a part of the VPC, which is not reached by a peering connection`);
    }
    if (range === undefined) yield fault(`${at}.cidr`, `'${cidr}' is not a range of addresses`, 'e.g. 10.0.0.0/16');
    else if (routes.findIndex((other) => other.cidr === cidr) < index)
      yield fault(`${at}.cidr`, `${cidr} is listed twice`);
    else if (cidr === networkCIDR || additionalNetworkCIDRs.includes(cidr)) {
      yield fault(`${at}.cidr`, `${cidr} is a range of the VPC, which has a route`);
    } else yield* validatePrefix(`${at}.cidr`, cidr, range);
  }
}
