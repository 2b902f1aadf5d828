import { expect, test } from 'vitest';
import { gceCompleted, type Wish } from './testdata/gce-tasks.ts';
import { validateGce } from './validate.ts';

const pathsOf = (wish: Wish): readonly string[] => {
  const { cluster, instanceGroups } = gceCompleted(wish);
  return [...validateGce(cluster, instanceGroups)].map(({ path }) => path);
};
const subnet = { name: 'us-east1', region: 'us-east1', type: 'Public' };

test('machines that take Hyperdisks alone get them, for etcd too', () => {
  const machine = { machineType: 'n4-standard-4', zones: ['us-east1-b'] };
  const wish: Wish = {
    groups: {
      'control-plane-us-east1-b': { role: 'ControlPlane', ...machine },
      nodes: { role: 'Node', ...machine },
      gpus: { role: 'Node', ...machine, machineType: 'g2-standard-4' },
    },
  };
  expect(pathsOf(wish)).toEqual([]);
  const { cluster, instanceGroups } = gceCompleted(wish);
  expect(instanceGroups.map(({ spec }) => spec.rootVolumeType)).toEqual([
    'hyperdisk-balanced',
    'hyperdisk-balanced',
    'pd-balanced',
  ]);
  expect(cluster.spec.etcdClusters?.[0]?.etcdMembers?.[0]?.volumeType).toBe('hyperdisk-balanced');
  expect(cluster.spec.cloudConfig?.gcpPDCSIDriver?.defaultStorageClassName).toBe('balanced-csi');
});

test('a usual cluster has no fault', () => {
  expect(pathsOf({})).toEqual([]);
});

test.each<[Wish, string]>([
  [{ spec: { project: '' } }, 'spec.project'],
  [{ spec: { karpenter: { enabled: true } } }, 'spec.karpenter'],
  [{ spec: { networkCIDR: '10.0.0.0/8' } }, 'spec.networkCIDR'],
  [{ spec: { subnets: [{ ...subnet, zone: 'us-east1-b' }] } }, 'spec.subnets[0].zone'],
  [{ spec: { subnets: [{ ...subnet, egress: 'tgw-1' }] } }, 'spec.subnets[0].egress'],
  [{ spec: { subnets: [subnet, { ...subnet, name: 'b', region: 'us-west1' }] } }, 'spec.subnets[1].region'],
  [{ spec: { subnets: [subnet, { ...subnet, name: 'b', id: 'x' }] } }, 'spec.subnets[1].id'],
  [{ spec: { api: { loadBalancer: { type: 'Public', class: 'Network' } } } }, 'spec.api.loadBalancer.class'],
  [{ spec: { api: { loadBalancer: { type: 'Public', sslPolicy: '' } } } }, 'spec.api.loadBalancer.sslPolicy'],
  [
    { spec: { api: { loadBalancer: { type: 'Public', sslCertificate: '', crossZoneLoadBalancing: false } } } },
    'spec.api.loadBalancer.crossZoneLoadBalancing',
  ],
  [{ spec: { podCIDR: 'fd00::/56' } }, 'spec.podCIDR'],
  [{ spec: { kubernetesVersion: '1.23.17' } }, 'spec.kubernetesVersion'],
  [{ spec: { networkID: 'net' } }, 'spec.subnets[0].cidr'],
  [{ spec: { subnets: [{ ...subnet, id: 'x' }] } }, 'spec.subnets[0].id'],
  [{ groups: { nodes: { role: 'Node', zones: ['us-west1-b'] } } }, 'spec.zones[0]'],
  [{ groups: { nodes: { role: 'Node', zones: [] } } }, 'spec.zones'],
  [{ groups: { nodes: { role: 'Node', zones: ['us-east1-b'], image: 'a/b/c' } } }, 'spec.image'],
  [{ groups: { 'a.b': { role: 'Node', zones: ['us-east1-b'] } } }, 'metadata.name'],
  [{ groups: { '1st': { role: 'Node', zones: ['us-east1-b'] } } }, 'metadata.name'],
  [{ groups: { ['n'.repeat(59)]: { role: 'Node', zones: ['us-east1-b'] } } }, 'metadata.name'],
  [
    { groups: { nodes: { role: 'Node', zones: ['us-east1-b'], machineType: 't2a-standard-1', image: 'u/x-amd64' } } },
    'spec.image',
  ],
  [{ groups: { nodes: { role: 'Node', zones: ['us-east1-b'], image: 'u/x-arm64-v1' } } }, 'spec.image'],
  [
    {
      groups: {
        nodes: { role: 'Node', zones: ['us-east1-b'], machineType: 'n4-standard-2', rootVolumeType: 'pd-ssd' },
      },
    },
    'spec.rootVolumeType',
  ],
  [{ groups: { nodes: { role: 'Node', zones: ['us-east1-b'], rootVolumeType: 'gp3' } } }, 'spec.rootVolumeType'],
  [
    {
      groups: {
        'control-plane-us-east1-b': { role: 'ControlPlane', zones: ['us-east1-b'], machineType: 'c4-standard-4' },
      },
      spec: {
        etcdClusters: [
          {
            name: 'main',
            etcdMembers: [{ name: 'b', instanceGroup: 'control-plane-us-east1-b', volumeType: 'pd-ssd' }],
          },
        ],
      },
    },
    'spec.etcdClusters[0].etcdMembers[0].volumeType',
  ],
  [
    {
      spec: {
        etcdClusters: [
          {
            name: 'main',
            etcdMembers: [{ name: 'b', instanceGroup: 'control-plane-us-east1-b', volumeType: 'io1' }],
          },
        ],
      },
    },
    'spec.etcdClusters[0].etcdMembers[0].volumeType',
  ],
  [
    { groups: { 'control-plane-us-east1-b': { role: 'ControlPlane', zones: ['us-east1-b', 'us-east1-c'] } } },
    'spec.zones',
  ],
])('%j has a fault at %s', (wish, path) => {
  expect(pathsOf(wish)).toContain(path);
});
