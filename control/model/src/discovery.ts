import type { ClusterFacts } from './cluster-facts.ts';

/** The secret that holds the keys of gossip. */
export const GOSSIP_KEY = 'gossip-key';

/** kops's port of it (pkg/wellknownports: ProtokubeGossipMemberlist). */
export const GOSSIP_PORT = 3998;

/**
 * Whether the machines tell each other their names. A name that ends in `.k8s.local` is not in DNS, so its
 * machines gossip unless the spec says that there are to be no names at all.
 */
export function usesGossip({ spec, clusterName }: Pick<ClusterFacts, 'spec' | 'clusterName'>): boolean {
  const type = spec.topology?.dns?.type;
  return type === 'Gossip' || (clusterName.endsWith('.k8s.local') && type !== 'None');
}

/** The secret that holds the TSIG key with which a name server lets names be changed. */
export const DNS_UPDATE_KEY = 'dns-update-key';

/** Whether a zone of DNS holds the cluster's names. */
export const publishesNames = (facts: Pick<ClusterFacts, 'spec' | 'clusterName'>): boolean =>
  facts.spec.topology?.dns?.type !== 'None' && !usesGossip(facts);

/** The zone that the spec names, or the one whose name is the cluster's without its first part. */
export function zoneName({ spec, clusterName }: Pick<ClusterFacts, 'spec' | 'clusterName'>): string {
  const { dnsZone } = spec;
  return dnsZone !== undefined && dnsZone !== '' ? dnsZone : clusterName.split('.').slice(1).join('.');
}

/** Whether machines that are no control plane have nothing but a load balancer's own name to find the API by. */
export const findsApiByLoadBalancer = ({ spec, cloud }: ClusterFacts): boolean =>
  cloud.traits.hasLoadBalancers && spec.topology?.dns?.type === 'None' && spec.api?.loadBalancer !== undefined;

/** Names that the machines keep in the zone themselves; those of a load balancer are made together with it. */
export function machinesNames({ spec, apiPublicName, apiInternalName }: ClusterFacts): {
  readonly apiPublicName?: string;
  readonly apiInternalName?: string;
} {
  const loadBalancer = spec.api?.loadBalancer;
  return {
    ...(loadBalancer === undefined ? { apiPublicName } : {}),
    ...(loadBalancer?.useForInternalApi === true ? {} : { apiInternalName }),
  };
}

/** Whether somebody else is to keep all names (kops: spec.externalDns.provider none, and disable before that). */
export const leavesNamesToOthers = ({ spec }: Pick<ClusterFacts, 'spec'>): boolean =>
  spec.externalDns?.provider === 'none' || spec.externalDns?.disable === true;

/** Pods and services have addresses of IPv6, and machines are known by theirs (kops: IsIPv6Only). */
export const isIpv6Only = ({ spec }: Pick<ClusterFacts, 'spec'>): boolean =>
  spec.nonMasqueradeCIDR?.includes(':') === true;
