import type { ClusterFacts } from './cluster-facts.ts';

/** The secret that holds the keys of gossip. */
export const GOSSIP_KEY = 'gossip-key';

/** kops's port of it (pkg/wellknownports: ProtokubeGossipMemberlist). */
export const GOSSIP_PORT = 3998;

/**
 * Whether the machines tell each other their names. A name that ends in `.k8s.local` is in nobody's DNS, so that its
 * machines gossip unless the spec says that there are to be no names at all.
 */
export function usesGossip({ spec, clusterName }: Pick<ClusterFacts, 'spec' | 'clusterName'>): boolean {
  const type = spec.topology?.dns?.type;
  return type === 'Gossip' || (clusterName.endsWith('.k8s.local') && type !== 'None');
}

/** Whether a zone of DNS holds the cluster's names. */
export const publishesNames = (facts: Pick<ClusterFacts, 'spec' | 'clusterName'>): boolean =>
  facts.spec.topology?.dns?.type !== 'None' && !usesGossip(facts);
