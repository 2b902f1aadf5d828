import type { Tags } from '../../node/tag-list.ts';
import { CLUSTER_TAG, ownershipTag } from '../../node/ownership.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';

/** Marks the role of a route table. */
export const KOPS_ROLE_TAG = 'kubernetes.io/kops/role';

/** The tags of a resource of the cluster; a shared resource is only marked as shared. */
export function resourceTags(facts: ClusterFacts, name: string, shared = false): Tags {
  const ownership = { [ownershipTag(facts.clusterName)]: shared ? 'shared' : 'owned' };
  if (shared) return ownership;
  return { ...facts.spec.cloudLabels, [CLUSTER_TAG]: facts.clusterName, Name: name, ...ownership };
}
