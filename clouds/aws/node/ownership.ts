/** The tag with the name of the cluster (kops upup/pkg/fi/cloudup/awsup: TagClusterName). */
export const CLUSTER_TAG = 'KubernetesCluster';

/** Whether a resource is deleted with the cluster (`owned`) or only used by it (`shared`). */
export const ownershipTag = (clusterName: string): string => `kubernetes.io/cluster/${clusterName}`;
