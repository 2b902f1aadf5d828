import { isIpv6Alone } from '@kopsctl/spec/names.ts';
import type { ClusterFacts } from './cluster-facts.ts';

/** The secret that holds the keys of the workers' ring of gossip, which every machine reads. */
export const GOSSIP_KEY = 'gossip-key';

/** The secret that holds the keys of the control plane's ring, which workers may not read. */
export const GOSSIP_CONTROL_PLANE_KEY = 'gossip-key-control-plane';

/** The keyset that certifies which machine may publish which addresses by gossip. */
export const GOSSIP_RECORDS_CA = 'gossip-records-ca';

/** kops's port for gossip (docs/development/ports.md: protokube, now memberlist's). */
export const GOSSIP_PORT = 3998;

/** The port on which kops's dns-controller gossiped; here it is the control plane's ring. */
export const GOSSIP_CONTROL_PLANE_PORT = 3999;

/**
 * Whether machines gossip their names. A name that ends in `.k8s.local` is not in DNS, so its machines gossip unless the
 * spec turns names off altogether.
 */
export function usesGossip({ spec, clusterName }: Pick<ClusterFacts, 'spec' | 'clusterName'>): boolean {
  const type = spec.topology?.dns?.type;
  return type === 'Gossip' || (clusterName.endsWith('.k8s.local') && type !== 'None');
}

/** The secret with the TSIG key that allows changes of names on a name server. */
export const DNS_UPDATE_KEY = 'dns-update-key';

/** Whether the cluster's names are in a DNS zone. */
export const publishesNames = (facts: Pick<ClusterFacts, 'spec' | 'clusterName'>): boolean =>
  facts.spec.topology?.dns?.type !== 'None' && !usesGossip(facts);

/** The zone in the spec, or the cluster's name without its first label. */
export function zoneName({ spec, clusterName }: Pick<ClusterFacts, 'spec' | 'clusterName'>): string {
  const { dnsZone } = spec;
  return dnsZone !== undefined && dnsZone !== '' ? dnsZone : clusterName.split('.').slice(1).join('.');
}

/** Whether machines outside the control plane can find the API only by the name of the load balancer itself. */
export const findsApiByLoadBalancer = ({ spec, cloud }: ClusterFacts): boolean =>
  cloud.traits.hasLoadBalancers && spec.topology?.dns?.type === 'None' && spec.api?.loadBalancer !== undefined;

/** Names in the zone that the machines maintain. Names of a load balancer are created together with it. */
export function machinesNames({ spec, cloud, apiPublicName, apiInternalName }: ClusterFacts): {
  readonly apiPublicName?: string;
  readonly apiInternalName?: string;
} {
  const loadBalancer = spec.api?.loadBalancer;
  return {
    ...(loadBalancer === undefined ? { apiPublicName } : {}),
    ...(loadBalancer?.useForInternalApi === true && cloud.traits.namesLoadBalancers ? {} : { apiInternalName }),
  };
}

/** Whether somebody else maintains all names (kops: spec.externalDns.provider none, formerly `disable`). */
export const leavesNamesToOthers = ({ spec }: Pick<ClusterFacts, 'spec'>): boolean =>
  spec.externalDns?.provider === 'none' || spec.externalDns?.disable === true;

/** Whether machines are known by their IPv6 addresses, as pods and Services are. */
export const isIpv6Only = ({ spec }: Pick<ClusterFacts, 'spec'>): boolean => isIpv6Alone(spec);
