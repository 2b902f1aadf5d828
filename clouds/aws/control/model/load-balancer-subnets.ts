import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { isControlPlane } from '@kopsctl/spec/names.ts';
import type { AwsContext } from './aws-context.ts';
import { isPublic } from '../subnet-kinds.ts';

/**
 * One subnet per zone for a load balancer: public subnets for a public one, private subnets for an internal one. If a
 * zone has several, utility subnets and those of the control plane are preferred, then the first by name (kops
 * pkg/model/awsmodel/api_loadbalancer.go).
 */
export function loadBalancerSubnets(context: AwsContext, isInternal: boolean): readonly ClusterSubnetSpec[] {
  const controlPlane = new Set(context.groups.filter(isControlPlane).flatMap((group) => group.spec.subnets ?? []));
  const score = (subnet: ClusterSubnetSpec): number =>
    (controlPlane.has(subnet.name ?? '') ? 1 : 0) + (subnet.type === 'Utility' || subnet.type === 'DualStack' ? 1 : 0);
  const candidates = context.subnets
    .filter((subnet) => isPublic(subnet) !== isInternal)
    // A load balancer always has an IPv4 address.
    .filter(({ cidr, id }) => (cidr ?? id) !== undefined)
    .toSorted((a, b) => score(b) - score(a) || ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
  const zones = [...new Set(context.subnets.map(({ zone }) => zone))];
  return zones.flatMap((zone) => candidates.find((subnet) => subnet.zone === zone) ?? []);
}

/** Whether clients also connect by IPv6: each of the subnets has an IPv6 range. */
export const isDualStack = (subnets: readonly ClusterSubnetSpec[]): boolean =>
  subnets.length > 0 && subnets.every(({ ipv6CIDR }) => ipv6CIDR !== undefined && ipv6CIDR !== '');
