import type { Tags } from '@kopsctl/clouds/aws/kinds/output.ts';
import { CLUSTER_TAG, ownershipTag } from '@kopsctl/clouds/aws/ownership.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';

/** Marks the role of a route table. */
export const KOPS_ROLE_TAG = 'kubernetes.io/kops/role';

/** The tags of a resource that belongs to the cluster; of a shared one only that it is shared. */
export function resourceTags(facts: ClusterFacts, name: string, shared = false): Tags {
  const ownership = { [ownershipTag(facts.clusterName)]: shared ? 'shared' : 'owned' };
  if (shared) return ownership;
  return { ...facts.spec.cloudLabels, [CLUSTER_TAG]: facts.clusterName, Name: name, ...ownership };
}
