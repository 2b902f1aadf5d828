import { awsModelCloud } from '@kopsctl/clouds/aws/control/model/model-cloud.ts';
import { specCloud } from '@kopsctl/clouds/control.ts';
import { gceModelCloud } from '@kopsctl/clouds/gce/control/model/model-cloud.ts';
import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { type ClusterFacts, clusterFacts } from '../../cluster-facts.ts';

const CLUSTER: Cluster = {
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.example.com' },
  spec: {
    cloudProvider: 'aws',
    kubernetesVersion: '1.35.0',
    networking: { cni: {} },
    subnets: [{ name: 'us-east-1a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }],
  },
};

export const GROUPS: readonly InstanceGroup[] = [
  {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'master-us-east-1a' },
    spec: { role: 'Master', minSize: 1, maxSize: 1, subnets: ['us-east-1a'] },
  },
  {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'nodes' },
    spec: { role: 'Node', minSize: 1, maxSize: 4, subnets: ['us-east-1a'], autoscale: true, autoscalePriority: 10 },
  },
];

/** The same with machines that have a GPU. */
export const GROUPS_WITH_GPU: readonly InstanceGroup[] = [
  ...GROUPS,
  {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'gpu' },
    spec: { role: 'Node', subnets: ['us-east-1a'], nodeLabels: { 'kops.k8s.io/gpu': '1' } },
  },
];

/** A small cluster in AWS, completed; `spec` is laid over it. */
export function awsFacts(spec: ClusterSpec = {}): ClusterFacts {
  const cluster = { ...CLUSTER, spec: { ...CLUSTER.spec, ...spec } };
  const completed = completeCluster({ cluster, instanceGroups: [] }, { stateStoreUrl: 's3://state' }, specCloud(cluster));
  return clusterFacts(completed.cluster, 's3://state', spec.cloudProvider === 'gce' ? gceModelCloud : awsModelCloud);
}
