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

const written = (spec: ClusterSpec, groups: readonly InstanceGroup[]): WrittenCluster => ({
  cluster: { apiVersion: API, kind: 'Cluster', metadata: { name: 'demo.example.com' }, spec },
  instanceGroups: groups,
});

const AWS: ClusterSpec = { cloudProvider: 'aws', kubernetesVersion: '1.35.0', networking: { cilium: {} } };
const MACHINE = { machineType: 'm5.large', subnets: ['a'] };
const GROUPS = [
  group('control-plane', { role: 'Master', ...MACHINE, maxSize: 1 }),
  group('nodes', { role: 'Node', ...MACHINE }),
];
const PUBLIC = [{ name: 'a', zone: 'us-east-1a', type: 'Public', cidr: '172.20.32.0/19' }];

/**
 * The clusters in which a field may act, most frequent first: a field that does something in one of them is tried in no
 * other.
 */
export const WRITTEN_CLUSTERS: Readonly<Record<string, WrittenCluster>> = {
  'public in AWS': written({ ...AWS, subnets: PUBLIC, api: { loadBalancer: { type: 'Public' } } }, GROUPS),
  'private in AWS': written(
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
      serviceAccountIssuerDiscovery: { discoveryStore: 's3://discovery/demo.example.com', enableAWSOIDCProvider: true },
    },
    [...GROUPS, group('bastions', { role: 'Bastion', machineType: 't3.micro', subnets: ['utility-a'] })],
  ),
  'gossip with kubenet in AWS': {
    ...written({ ...AWS, subnets: PUBLIC, networking: { kubenet: {} } }, GROUPS),
    cluster: {
      apiVersion: API,
      kind: 'Cluster',
      metadata: { name: 'demo.k8s.local' },
      spec: { ...AWS, subnets: PUBLIC, networking: { kubenet: {} } },
    },
  },
  local: written({ cloudProvider: 'local', kubernetesVersion: '1.28.4' }, [
    group('control-plane', { role: 'Master', maxSize: 1 }),
    group('nodes', { role: 'Node' }),
  ]),
  'local with Docker': written({ cloudProvider: 'local', kubernetesVersion: '1.20.2', containerRuntime: 'docker' }, [
    group('control-plane', { role: 'Master', maxSize: 1 }),
    group('nodes', { role: 'Node' }),
  ]),
};
