import { addressAt, type Cidr, formatCidr, overlaps, parseCidr } from '@kopsctl/spec/cidr.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { usesAliasRanges } from './alias-ranges.ts';

/** The range from which networks of GCE are allocated (kops upup/pkg/fi/cloudup/gce/network.go). */
export const PRIVATE_RANGE = '10.0.0.0/8';
const SUBNET_BITS = 20;
/** With alias IPs, pods and services use ranges of the subnet, so it has to be larger. */
const ALIAS = { podBits: 14, serviceBits: 16, subnetBits: 19 } as const;

/** Ranges that a spec leaves out, by the names of subnets, and of pods and services if they are in the subnet. */
export interface SubnetRanges {
  readonly subnets: Readonly<Record<string, string>>;
  readonly podCIDR?: string;
  readonly serviceClusterIPRange?: string;
}

/**
 * The ranges that the cluster's own subnets lack. Undefined if the private range is used up, or if pods are to be in the
 * subnet and there is not exactly one.
 *
 * @param taken ranges of others in the same network
 */
export function subnetRanges(spec: ClusterSpec, taken: readonly string[] = []): SubnetRanges | undefined {
  const allocate = allocator(spec, taken);
  const aliases = usesAliasRanges(spec);
  if (aliases && spec.subnets?.length !== 1) return undefined;
  const podCIDR = aliases ? (spec.podCIDR ?? allocate(ALIAS.podBits)) : undefined;
  const serviceClusterIPRange = aliases ? (spec.serviceClusterIPRange ?? allocate(ALIAS.serviceBits)) : undefined;
  if (aliases && (podCIDR === undefined || serviceClusterIPRange === undefined)) return undefined;
  const subnets: Record<string, string> = {};
  for (const { id, cidr, name = '' } of spec.subnets ?? []) {
    if (id !== undefined || cidr !== undefined) continue;
    const range = allocate(aliases ? ALIAS.subnetBits : SUBNET_BITS);
    if (range === undefined) return undefined;
    subnets[name] = range;
  }
  return {
    subnets,
    ...(podCIDR !== undefined && { podCIDR }),
    ...(serviceClusterIPRange !== undefined && { serviceClusterIPRange }),
  };
}

/** Allocates consecutive ranges of the private range; like kops, never the first one, which many networks use. */
function allocator(spec: ClusterSpec, taken: readonly string[]): (bits: number) => string | undefined {
  const whole = parseCidr(PRIVATE_RANGE);
  if (whole === undefined) throw new Error(`${PRIVATE_RANGE} is not a range`);
  const own = [spec.podCIDR, spec.serviceClusterIPRange, ...(spec.subnets ?? []).map(({ cidr }) => cidr)];
  const used: Cidr[] = [...own, ...taken].map((text) => parseCidr(text ?? '')).filter((range) => range !== undefined);
  return (bits) => {
    for (let index = 1; index < 2 ** (bits - whole.bits); index++) {
      const first = addressAt(whole, index * 2 ** (32 - bits));
      const range = parseCidr(`${first}/${bits}`);
      if (range === undefined || used.some((one) => overlaps(one, range))) continue;
      used.push(range);
      return formatCidr(range);
    }
    return undefined;
  };
}
