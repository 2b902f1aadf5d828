import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup, InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import type { WrittenCluster } from './plan-outputs.ts';

const API = 'kops.k8s.io/v1alpha2';

const group = (name: string, spec: InstanceGroupSpec): InstanceGroup => ({
  apiVersion: API,
  kind: 'InstanceGroup',
  metadata: { name },
  spec: { minSize: 1, maxSize: 2, ...spec },
});

const written = (
  spec: ClusterSpec,
  instanceGroups: readonly InstanceGroup[],
  name = 'demo.example.com',
): WrittenCluster => ({ cluster: { apiVersion: API, kind: 'Cluster', metadata: { name }, spec }, instanceGroups });

const machines = (spec: InstanceGroupSpec): readonly InstanceGroup[] => [
  group('control-plane', { role: 'Master', ...spec, maxSize: 1 }),
  group('nodes', { role: 'Node', ...spec }),
];

/** What marks machines that have one. */
const WITH_GPU = { 'kops.k8s.io/gpu': '1' };

const AWS: ClusterSpec = {
  cloudProvider: 'aws',
  kubernetesVersion: '1.35.0',
  networking: { cilium: {} },
  subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }],
};
const IN_AWS = machines({ machineType: 'm5.large', subnets: ['a'] });

const GCE: ClusterSpec = {
  cloudProvider: 'gce',
  project: 'acme',
  kubernetesVersion: '1.35.0',
  networking: { cilium: {} },
  subnets: [{ name: 'a', region: 'us-east1', type: 'Public', cidr: '10.0.16.0/20' }],
};
const IN_GCE = machines({ machineType: 'e2-medium', subnets: ['a'], zones: ['us-east1-b'] });

const METAL: ClusterSpec = {
  cloudProvider: 'metal',
  kubernetesVersion: '1.35.0',
  networking: { cilium: {} },
  topology: { dns: { type: 'Gossip' } },
  subnets: [{ name: 'room', zone: 'room', type: 'Public' }],
};
const ENROLLED: InstanceGroupSpec = { machineType: 'any', image: 'installed', subnets: ['room'] };

/**
 * By cloud, the clusters in which a field may act, most frequent first: a field that does something in one of them is tried
 * in no other.
 */
export const WRITTEN_CLUSTERS = {
  aws: {
    public: written({ ...AWS, api: { loadBalancer: { type: 'Public' } } }, IN_AWS),
    private: written(
      {
        ...AWS,
        subnets: [
          { name: 'a', zone: 'us-east-1a', type: 'Private', cidr: '172.20.32.0/19' },
          { name: 'utility-a', zone: 'us-east-1a', type: 'Utility', cidr: '172.20.0.0/22' },
        ],
        api: { loadBalancer: { type: 'Internal' } },
        topology: { dns: { type: 'Private' } },
        networking: { calico: {} },
        iam: { useServiceAccountExternalPermissions: true },
        serviceAccountIssuerDiscovery: {
          discoveryStore: 's3://discovery/demo.example.com',
          enableAWSOIDCProvider: true,
        },
      },
      [
        ...IN_AWS,
        group('apiservers', { role: 'APIServer', machineType: 'm5.large', subnets: ['a'] }),
        group('bastions', { role: 'Bastion', machineType: 't3.micro', subnets: ['utility-a'] }),
      ],
    ),
    gossip: written(
      {
        ...AWS,
        networking: { kubenet: {} },
        nodeTerminationHandler: { enabled: true, enableSQSTerminationDraining: false },
        clusterAutoscaler: { enabled: true, expander: 'priority' },
      },
      machines({ machineType: 'm6g.large', subnets: ['a'], maxPrice: '0.1', nodeLabels: WITH_GPU }),
      'demo.k8s.local',
    ),
    'before the cloud controller': written(
      { ...AWS, kubernetesVersion: '1.20.2', networking: { kubenet: {} }, containerd: { version: '1.7.27' } },
      IN_AWS,
    ),
  },
  gce: {
    public: written({ ...GCE, api: { loadBalancer: { type: 'Public' } } }, IN_GCE),
    gossip: written(
      { ...GCE, networking: { kubenet: {} }, clusterAutoscaler: { enabled: true, expander: 'priority' } },
      machines({
        machineType: 't2a-standard-1',
        // kops's channel has none for processors of ARM.
        image: 'ubuntu-os-cloud/ubuntu-2404-noble-arm64-v20260615',
        subnets: ['a'],
        zones: ['us-east1-b'],
        nodeLabels: WITH_GPU,
      }),
      'demo.k8s.local',
    ),
  },
  metal: {
    usual: written(METAL, machines(ENROLLED)),
    GPU: written(METAL, machines({ ...ENROLLED, nodeLabels: WITH_GPU })),
  },
  local: {
    usual: written({ cloudProvider: 'local', kubernetesVersion: '1.28.4' }, machines({})),
    docker: written({ cloudProvider: 'local', kubernetesVersion: '1.20.2', containerRuntime: 'docker' }, machines({})),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, WrittenCluster>>>>;

const VPC: ClusterSpec = { ...AWS, networkID: 'vpc-0123456789abcdef0', api: { loadBalancer: { type: 'Public' } } };

/** Clusters of AWS in whose networks much is known only to the cloud. */
const NETWORKS_OF_AWS = {
  'shared VPC': written(
    {
      ...VPC,
      subnets: [
        { name: 'a', zone: 'us-east-1a', type: 'Private', cidr: '172.20.32.0/19', id: 'subnet-1', egress: 'nat-1' },
        { name: 'utility-a', zone: 'us-east-1a', type: 'Utility', cidr: '172.20.0.0/22', id: 'subnet-2' },
      ],
    },
    IN_AWS,
  ),
  IPv6: written(
    {
      ...AWS,
      nonMasqueradeCIDR: '::/0',
      networkCIDR: '172.20.0.0/16',
      api: { loadBalancer: { type: 'Public' } },
      subnets: [
        { name: 'a', zone: 'us-east-1a', type: 'Private', ipv6CIDR: '/64#1' },
        { name: 'dualstack-a', zone: 'us-east-1a', type: 'DualStack', cidr: '172.20.32.0/19', ipv6CIDR: '/64#3' },
        { name: 'utility-a', zone: 'us-east-1a', type: 'Utility', cidr: '172.20.0.0/22', ipv6CIDR: '/64#2' },
      ],
    },
    // The load balancer reaches control planes by IPv4.
    IN_AWS.map((one) =>
      one.spec.role === 'Master' ? { ...one, spec: { ...one.spec, subnets: ['dualstack-a'] } } : one,
    ),
  ),
};

/** Clusters in which fields are set together: those above, and more networks. */
export const CLUSTERS_FOR_HOLES: Readonly<Record<string, Readonly<Record<string, WrittenCluster>>>> = {
  ...WRITTEN_CLUSTERS,
  aws: { ...WRITTEN_CLUSTERS.aws, ...NETWORKS_OF_AWS },
};
