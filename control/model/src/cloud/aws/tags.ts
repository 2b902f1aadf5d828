import type { Tags } from '@kopsctl/clouds/aws/kinds/output.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';

/** Which cluster a resource belongs to (kops upup/pkg/fi/cloudup/awsup: TagClusterName). */
export const CLUSTER_TAG = 'KubernetesCluster';

/** Marks the role of a route table. */
export const KOPS_ROLE_TAG = 'kubernetes.io/kops/role';

/** Says of a resource whether it goes with the cluster (`owned`) or is only used by it (`shared`). */
export const ownershipTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`;

/** The tags of a resource that belongs to the cluster; of a shared one only that it is shared. */
export function resourceTags(facts: ClusterFacts, name: string, shared = false): Tags {
  const ownership = { [ownershipTag(facts.clusterName)]: shared ? 'shared' : 'owned' };
  if (shared) return ownership;
  return { ...facts.spec.cloudLabels, [CLUSTER_TAG]: facts.clusterName, Name: name, ...ownership };
}
