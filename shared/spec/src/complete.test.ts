import { specCloud } from '@kopsctl/clouds/control.ts';
import { describe, expect, it } from 'vitest';
import type { Cluster, ClusterSpec } from './cluster.ts';
import { completeCluster } from './complete.ts';
import type { InstanceGroup, InstanceGroupSpec } from './instance-group.ts';

const FACTS = { stateStoreUrl: 'file:///var/lib/demo' };
const clusterWith = (spec: ClusterSpec): Cluster => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'Cluster',
  metadata: { name: 'demo.local.test' },
  spec,
});
const group = (name: string, spec: InstanceGroupSpec): InstanceGroup => ({
  apiVersion: 'kops.k8s.io/v1alpha2',
  kind: 'InstanceGroup',
  metadata: { name },
  spec,
});
const complete = (
  spec: ClusterSpec,
  groups = [group('control-plane', { role: 'Master' }), group('nodes', { role: 'Node' })],
) => completeCluster({ cluster: clusterWith(spec), instanceGroups: groups }, FACTS, specCloud({ spec }));
const membersOf = (spec: ClusterSpec, groups: InstanceGroup[]) =>
  complete(spec, groups).cluster.spec.etcdClusters?.[0]?.etcdMembers?.map(
    ({ name, instanceGroup }) => `${name}=${instanceGroup}`,
  );

describe('a local cluster of two lines', () => {
  const { cluster, instanceGroups, origins } = complete({ cloudProvider: 'local' });
  const { spec } = cluster;

  it('gets its ranges and names', () => {
    expect(spec).toMatchObject({
      kubernetesVersion: '1.36.3',
      networkCIDR: '172.30.0.0/24',
      nonMasqueradeCIDR: '100.64.0.0/10',
      podCIDR: '100.96.0.0/11',
      serviceClusterIPRange: '100.64.0.0/13',
      kubeDNS: { serverIP: '100.64.0.10' },
      kubelet: { clusterDNS: '100.64.0.10', cgroupDriver: 'cgroupfs' },
      masterPublicName: 'api.demo.local.test',
      masterInternalName: 'api.internal.demo.local.test',
      networking: { kubenet: {} },
      subnets: [{ name: 'local', zone: 'local', type: 'Public', cidr: '172.30.0.0/24' }],
      configBase: 'file:///var/lib/demo/demo.local.test',
      keyStore: 'file:///var/lib/demo/demo.local.test/pki',
    });
  });

  it('gets etcd for main and events', () => {
    expect(spec.etcdClusters?.map(({ name, version, etcdMembers }) => [name, version, etcdMembers])).toEqual([
      ['main', '3.6.12', [{ name: 'a', instanceGroup: 'control-plane', volumeSize: 20 }]],
      ['events', '3.6.12', [{ name: 'a', instanceGroup: 'control-plane', volumeSize: 20 }]],
    ]);
  });

  it('gets sizes, image and subnets for its groups', () => {
    expect(instanceGroups.map((one) => one.spec)).toEqual([
      { role: 'Master', minSize: 1, maxSize: 1, subnets: ['local'], image: 'debian-12', machineType: 'local' },
      { role: 'Node', minSize: 2, maxSize: 2, subnets: ['local'], image: 'debian-12', machineType: 'local' },
    ]);
  });

  it('reports the origin of each inferred value, and only of those', () => {
    expect(origins.cluster['spec.podCIDR']).toBe('part of spec.nonMasqueradeCIDR');
    expect(origins.cluster).not.toHaveProperty('spec.cloudProvider');
    expect(origins.instanceGroups['nodes']).toHaveProperty('spec.minSize', 'default size of its role');
  });

  it('does not change when it is completed again', () => {
    const again = completeCluster({ cluster, instanceGroups }, FACTS, specCloud(cluster));
    expect(again).toMatchObject({ cluster, instanceGroups });
    expect(again.origins.cluster).toEqual({});
  });
});

describe('completion', () => {
  it('takes an empty text for no value where kops does', () => {
    const { cluster, instanceGroups } = complete(
      {
        cloudProvider: 'aws',
        topology: { dns: { type: '' } },
        kubeDNS: { provider: '', coreDNSImage: '' },
        kubelet: { evictionHard: '' },
        networking: { cilium: { ipam: '' } },
        api: { loadBalancer: { type: '' } },
      },
      [
        group('nodes', {
          role: 'Node',
          manager: '',
          tenancy: '',
          image: '',
          machineType: '',
          nodeLabels: { empty: '' },
        }),
      ],
    );
    expect(cluster.spec).toMatchObject({
      topology: { dns: { type: 'Public' } },
      kubeDNS: { provider: 'CoreDNS', coreDNSImage: expect.stringContaining('coredns') },
      kubelet: { evictionHard: '' },
      networking: { cilium: { ipam: 'kubernetes' } },
      api: { loadBalancer: { type: 'Public' } },
    });
    expect(instanceGroups[0]?.spec).not.toHaveProperty('tenancy');
    expect(instanceGroups[0]?.spec).toMatchObject({
      image: expect.stringMatching(/./),
      machineType: expect.stringMatching(/./),
    });
    expect(instanceGroups[0]?.spec.nodeLabels).toMatchObject({ empty: '' });
  });

  it('puts workers into subnets without IPv4 where machines have IPv6, and what serves the API into the others', () => {
    const subnets = [
      { name: 'a', type: 'Private', ipv6CIDR: '/64#1' },
      { name: 'dualstack-a', type: 'DualStack', cidr: '172.20.32.0/19', ipv6CIDR: '/64#3' },
      { name: 'utility-a', type: 'Utility', cidr: '172.20.0.0/22', ipv6CIDR: '/64#2' },
    ];
    const groups = ['Master', 'APIServer', 'Node', 'Bastion'] as const;
    const subnetsOf = (spec: ClusterSpec) =>
      complete(
        { cloudProvider: 'aws', nonMasqueradeCIDR: '::/0', ...spec },
        groups.map((role) => group(role.toLowerCase(), { role })),
      ).instanceGroups.map((one) => one.spec.subnets);
    expect(subnetsOf({ subnets })).toEqual([['dualstack-a'], ['dualstack-a'], ['a'], ['a']]);
    expect(subnetsOf({ subnets: subnets.slice(1) })).toEqual(groups.map(() => ['dualstack-a']));
    expect(subnetsOf({ subnets: subnets.slice(0, 1) })).toEqual(groups.map(() => ['a']));
    expect(subnetsOf({ subnets, nonMasqueradeCIDR: '100.64.0.0/10' })).toEqual(groups.map(() => ['a', 'dualstack-a']));
  });

  it('takes a size of 0, and an empty price, for no value, as kops does', () => {
    const etcdMembers = [{ name: 'a', instanceGroup: 'control-plane', volumeSize: 0 }];
    const { cluster, instanceGroups } = complete(
      { cloudProvider: 'aws', etcdClusters: [{ name: 'main', etcdMembers }] },
      [
        group('control-plane', { role: 'Master', maxSize: 1, rootVolumeSize: 0 }),
        group('nodes', { role: 'Node', minSize: 0, maxPrice: '' }),
      ],
    );
    expect(cluster.spec.etcdClusters?.[0]?.etcdMembers).toMatchObject([{ volumeSize: 20 }]);
    expect(instanceGroups.map(({ spec }) => spec)).toMatchObject([{ rootVolumeSize: 64 }, { minSize: 0 }]);
    expect(instanceGroups[1]?.spec).not.toHaveProperty('maxPrice');
  });

  it('takes a period of 0s for none, as kops does', () => {
    const { cluster } = complete({
      cloudProvider: 'aws',
      kubeControllerManager: { attachDetachReconcileSyncPeriod: '0s' },
    });
    expect(cluster.spec.kubeControllerManager).toMatchObject({ attachDetachReconcileSyncPeriod: '1m0s' });
  });

  it('infers subnets of a group whose list of them is empty, as kops does', () => {
    const subnets = [{ name: 'a', zone: 'us-test-1a', cidr: '10.0.0.0/24', type: 'Public' }];
    const { instanceGroups } = complete({ cloudProvider: 'aws', subnets }, [
      group('nodes', { role: 'Node', subnets: [] }),
    ]);
    expect(instanceGroups[0]?.spec.subnets).toEqual(['a']);
  });

  it.each([
    ['1.22.17', false, 'v1.10.13'],
    ['1.23.0', true, 'v1.10.13'],
    ['1.28.0', true, 'v1.22.1'],
  ])('enables the storage driver of GCE if Kubernetes needs it: %s', (kubernetesVersion, enabled, version) => {
    const { cloudConfig } = complete({ cloudProvider: 'gce', kubernetesVersion }).cluster.spec;
    expect(cloudConfig?.gcpPDCSIDriver).toEqual({ defaultStorageClassName: 'balanced-csi', enabled, version });
  });

  it('leaves the storage driver of GCE as the user sets it, and does not set it in other clouds', () => {
    const own = { defaultStorageClassName: 'ssd-csi', enabled: false, version: 'v1.21.0' };
    const spec = { cloudConfig: { gcpPDCSIDriver: own }, kubernetesVersion: '1.35.0' };
    expect(complete({ ...spec, cloudProvider: 'gce' }).cluster.spec.cloudConfig?.gcpPDCSIDriver).toEqual(own);
    expect(complete({ cloudProvider: 'aws', kubernetesVersion: '1.35.0' }).cluster.spec.cloudConfig).not.toHaveProperty(
      'gcpPDCSIDriver',
    );
  });

  it('keeps what the user wrote, down to single fields', () => {
    const { cluster } = complete({
      cloudProvider: 'local',
      kubelet: { logLevel: 5 },
      etcdClusters: [{ name: 'main', version: '3.4.23' }],
      subnets: [{ name: 'mine' }],
    });
    expect(cluster.spec.kubelet).toMatchObject({ logLevel: 5, cgroupRoot: '/' });
    // As in kops, this setting applies to workers alone.
    expect(cluster.spec.masterKubelet).toMatchObject({ logLevel: 2 });
    expect(cluster.spec.etcdClusters).toMatchObject([
      { name: 'main', version: '3.4.23', etcdMembers: [{ name: 'a' }] },
    ]);
    expect(cluster.spec.subnets).toEqual([{ name: 'mine' }]);
  });

  it('does not change its input', () => {
    const cluster = clusterWith({ cloudProvider: 'local' });
    const before = structuredClone(cluster);
    completeCluster({ cluster, instanceGroups: [group('cp', { role: 'Master' })] }, FACTS, specCloud(cluster));
    expect(cluster).toEqual(before);
  });

  it('infers values from other values, whichever of them the user set', () => {
    const { spec } = complete({ cloudProvider: 'local', serviceClusterIPRange: '10.9.0.0/16' }).cluster;
    expect(spec.kubeDNS?.serverIP).toBe('10.9.0.10');
    expect(spec.kubeAPIServer?.serviceClusterIPRange).toBe('10.9.0.0/16');
  });

  it('names etcd members by order in one group, and by zone across groups', () => {
    expect(membersOf({ cloudProvider: 'local' }, [group('cp', { role: 'Master', maxSize: 3 })])).toEqual([
      'a=cp',
      'b=cp',
      'c=cp',
    ]);
    const zones: ClusterSpec = {
      cloudProvider: 'aws',
      subnets: ['b', 'd', 'e'].map((letter) => ({ name: letter, zone: `us-test-1${letter}` })),
    };
    const groups = ['b', 'd', 'e'].map((letter) => group(`cp-${letter}`, { role: 'ControlPlane', subnets: [letter] }));
    expect(membersOf(zones, groups)).toEqual(['b=cp-b', 'd=cp-d', 'e=cp-e']);
  });

  it('differs by version of Kubernetes', () => {
    const at = (kubernetesVersion: string) => complete({ cloudProvider: 'aws', kubernetesVersion }).cluster.spec;
    expect(at('v1.20.2')).toMatchObject({
      kubernetesVersion: '1.20.2',
      kubeAPIServer: { cloudProvider: 'aws', image: 'registry.k8s.io/kube-apiserver:v1.20.2' },
    });
    expect(at('1.35.0')).toMatchObject({
      kubelet: { cloudProvider: 'external', shutdownGracePeriod: '30s' },
      etcdClusters: [{ version: '3.6.12' }, {}],
    });
    expect(at('1.20.2').kubelet).not.toHaveProperty('shutdownGracePeriod');
  });
});

it("completes a spec without a version by kops's stable channel", () => {
  for (const cloudProvider of ['aws', 'gce', 'hetzner'] as const) {
    expect(complete({ cloudProvider }).cluster.spec).toMatchObject({ channel: 'stable', kubernetesVersion: '1.36.3' });
  }
});

it('the kubelets of control planes alone wait at most a minute before they start a container again', () => {
  const at = (kubernetesVersion: string) => complete({ cloudProvider: 'aws', kubernetesVersion }).cluster.spec;
  expect(at('1.35.0').masterKubelet?.crashLoopBackOffMaxContainerRestartPeriod).toBe('1m0s');
  expect(at('1.35.0').kubelet?.crashLoopBackOffMaxContainerRestartPeriod).toBeUndefined();
  expect(at('1.34.4').masterKubelet?.crashLoopBackOffMaxContainerRestartPeriod).toBeUndefined();
  // With the gate off, kubelet would not start with it.
  const off = { featureGates: { KubeletCrashLoopBackOffMax: 'false' } };
  const { masterKubelet } = complete({ cloudProvider: 'aws', kubernetesVersion: '1.35.0', masterKubelet: off }).cluster
    .spec;
  expect(masterKubelet?.crashLoopBackOffMaxContainerRestartPeriod).toBeUndefined();
});

it('the pause image of containerd comes from the registry of the cluster', () => {
  const { spec } = complete({ cloudProvider: 'aws', assets: { containerRegistry: 'registry.example.com' } }).cluster;
  expect(spec.containerd?.sandboxImage).toMatch(/^registry\.example\.com\/pause:/);
  expect(spec.kubelet?.podInfraContainerImage ?? spec.containerd?.sandboxImage).toBe(spec.containerd?.sandboxImage);
});

it('files get a mode, and a path by their name unless they have one', () => {
  const { cluster, origins } = complete({
    cloudProvider: 'local',
    fileAssets: [
      { name: 'one', content: '1' },
      { name: 'one', path: '/etc/two', content: '2', roles: ['Node'] },
      { path: '/etc/three', content: '3', mode: '0600' },
      { path: '/etc/four', content: '4' },
    ],
  });
  expect(cluster.spec.fileAssets?.map(({ path, mode }) => [path, mode])).toEqual([
    ['/srv/kubernetes/assets/one', '0440'],
    ['/etc/two', '0440'],
    ['/etc/three', '0600'],
    ['/etc/four', '0440'],
  ]);
  expect(origins.cluster['spec.fileAssets[0].path']).toBe('kops default of files');
});
