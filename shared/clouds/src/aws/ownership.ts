/** Which cluster a resource belongs to (kops upup/pkg/fi/cloudup/awsup: TagClusterName). */
export const CLUSTER_TAG = 'KubernetesCluster';

/** Says of a resource whether it goes with the cluster (`owned`) or is only used by it (`shared`). */
export const ownershipTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`;
