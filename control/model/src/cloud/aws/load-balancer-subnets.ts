import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { isControlPlane } from '@kopsctl/spec/names.ts';
import type { AwsContext } from './aws-context.ts';
import { isPublic } from './subnet-kinds.ts';

/**
 * One subnet of each zone for a load balancer: of the public ones for a public one, of the private ones for an
 * internal one. Where a zone has several, utility subnets and those of the control plane come first, then the name
 * decides (kops pkg/model/awsmodel/api_loadbalancer.go).
 */
export function loadBalancerSubnets(context: AwsContext, isInternal: boolean): readonly ClusterSubnetSpec[] {
  const controlPlane = new Set(context.groups.filter(isControlPlane).flatMap((group) => group.spec.subnets ?? []));
  const score = (subnet: ClusterSubnetSpec): number =>
    (controlPlane.has(subnet.name ?? '') ? 1 : 0) + (subnet.type === 'Utility' || subnet.type === 'DualStack' ? 1 : 0);
  const candidates = context.subnets
    .filter((subnet) => isPublic(subnet) !== isInternal)
    // A load balancer has an IPv4 address, whatever else.
    .filter(({ cidr, id }) => (cidr ?? id) !== undefined)
    .toSorted((a, b) => score(b) - score(a) || ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
  const zones = [...new Set(context.subnets.map(({ zone }) => zone))];
  return zones.flatMap((zone) => candidates.find((subnet) => subnet.zone === zone) ?? []);
}

/** Whether clients come by IPv6 as well: the spec gives one of the subnets such addresses. */
export const isDualStack = (subnets: readonly ClusterSubnetSpec[]): boolean =>
  subnets.some(({ ipv6CIDR }) => ipv6CIDR !== undefined && ipv6CIDR !== '');
