import { formatCidr, overlaps, parseCidr, subrange, type Cidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { SharedNetwork } from './flags.ts';
import { refusal } from './refusal.ts';

/**
 * Utility subnets contain only load balancers and gateways, so eight of them share the space of one subnet for machines.
 */
const UTILITY_BITS = 3;

/** kops splits a network into eight parts at most (upup/pkg/fi/cloudup/subnets.go); smaller ones are used only where those are too few. */
const USUAL_BITS = 3;

/** A cluster never has more than four thousand subnets; the search for room ends there. */
const MOST_BITS = 12;

/** Machines choose their addresses in a subnet of this size (RFC 4291, section 2.5.1). */
const IPV6_PREFIX = 64;

/**
 * Assigns a part of the network to every subnet without a range: as large as the number of subnets allows, in the order
 * of their zones. Ranges that are already used are skipped.
 *
 * @param longestPrefix that of the smallest subnet with IPv4 that the cloud makes
 */
export function assignSubnetCidrs(
  spec: ClusterSpec,
  network: SharedNetwork | undefined,
  longestPrefix: number,
): ClusterSpec {
  const subnets = (spec.subnets ?? []).map((subnet) => withKnownCidr(subnet, network));
  const open = subnets.filter((subnet) => subnet.cidr === undefined && needsCidr(subnet, spec));
  // Only the cloud knows the range of a shared subnet.
  const shared = open.filter((subnet) => subnet.id !== undefined);
  if (open.length === shared.length) return { ...spec, subnets };

  const range = parseCidr(spec.networkCIDR ?? '');
  if (range === undefined) {
    if (spec.networkCIDR === undefined && spec.networkID !== undefined) return { ...spec, subnets };
    throw refusal(
      spec.networkCIDR === undefined ? 'the network has no range' : `'${spec.networkCIDR}' is not a range of addresses`,
      'name one with --network-cidr, e.g. 10.0.0.0/16',
    );
  }
  const ranges = partition(subnets, open, range, longestPrefix);
  return {
    ...spec,
    subnets: subnets.map((subnet) => {
      const cidr = ranges.get(subnet.name ?? '');
      return cidr === undefined ? subnet : { ...subnet, cidr };
    }),
  };
}

/** Machines of an IPv6-only cluster need no IPv4 range in their private subnets. */
const needsCidr = (subnet: ClusterSubnetSpec, spec: ClusterSpec): boolean =>
  !(spec.nonMasqueradeCIDR === '::/0' && subnet.type === 'Private');

function withKnownCidr(subnet: ClusterSubnetSpec, network: SharedNetwork | undefined): ClusterSubnetSpec {
  const known = network?.subnets.find(({ id }) => id === subnet.id)?.cidr;
  return subnet.id === undefined || subnet.cidr !== undefined || known === undefined
    ? subnet
    : { ...subnet, cidr: known };
}

function partition(
  subnets: readonly ClusterSubnetSpec[],
  open: readonly ClusterSubnetSpec[],
  range: Cidr,
  longestPrefix: number,
): ReadonlyMap<string, string> {
  const inZoneOrder = open
    .filter(({ id }) => id === undefined)
    .toSorted((left, right) => compare(left.zone ?? '', right.zone ?? ''));
  const [little, big] = [inZoneOrder.filter(isUtility), inZoneOrder.filter((subnet) => !isUtility(subnet))];
  // kops counts every subnet for machines that has no range, including subnets that need none.
  const bigCount = subnets.filter((subnet) => subnet.cidr === undefined && !isUtility(subnet)).length;
  const littleBlocks = Math.ceil(little.length / 2 ** UTILITY_BITS);
  const taken = subnets.flatMap(({ cidr }) => parseCidr(cidr ?? '') ?? []);

  const wantedBits = Math.ceil(Math.log2(Math.max(1, bigCount + littleBlocks)));
  const fixedBits = range.bits + (littleBlocks === 0 ? 0 : UTILITY_BITS);
  const finestBits = Math.min(MOST_BITS, (range.family === 'ipv4' ? longestPrefix : IPV6_PREFIX) - fixedBits);
  for (let bits = Math.min(USUAL_BITS, wantedBits); bits <= finestBits; bits++) {
    const free = parts(range, bits).filter((part) => !taken.some((one) => overlaps(one, part)));
    if (free.length < big.length + littleBlocks) continue;
    const littleRanges = free.slice(0, littleBlocks).flatMap((part) => parts(part, UTILITY_BITS));
    if (littleRanges.length < little.length) break;
    return new Map([
      ...little.map((subnet, index) => named(subnet, littleRanges[index])),
      ...big.map((subnet, index) => named(subnet, free[littleBlocks + index])),
    ]);
  }
  throw refusal(
    `${formatCidr(range)} has no room for ${inZoneOrder.length} more subnets`,
    'name a larger --network-cidr, or fewer --zones',
  );
}

function parts(range: Cidr, bits: number): readonly Cidr[] {
  return Array.from({ length: 2 ** bits }, (_, index) => subrange(range, bits, index)).filter(
    (part) => part !== undefined,
  );
}

function named(subnet: ClusterSubnetSpec, range: Cidr | undefined): readonly [string, string] {
  if (range === undefined) throw new Error(`no range is left for subnet ${subnet.name}`);
  return [subnet.name ?? '', formatCidr(range)];
}

const isUtility = ({ type }: ClusterSubnetSpec): boolean => type === 'Utility';
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
