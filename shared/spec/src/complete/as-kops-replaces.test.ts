import { specCloud } from '@kopsctl/clouds/control.ts';
import { expect, test } from 'vitest';
import type { ClusterSpec } from '../cluster.ts';
import { completeCluster, type Completed } from '../complete.ts';
import type { InstanceGroup } from '../instance-group.ts';

function completed(spec: ClusterSpec, instanceGroups: readonly InstanceGroup[] = []): Completed {
  const base = { kubernetesVersion: '1.35.0', subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public' }] };
  const whole: ClusterSpec = { cloudProvider: 'aws', ...base, ...spec };
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: whole,
  } as const;
  return completeCluster({ cluster, instanceGroups }, { stateStoreUrl: 's3://state' }, specCloud(cluster));
}

test('plugins that a person names come beside those that protect Nodes', () => {
  const { cluster, origins } = completed({
    kubeAPIServer: { enableAdmissionPlugins: ['PodNodeSelector'], appendAdmissionPlugins: ['AlwaysPullImages'] },
  });
  const plugins = cluster.spec.kubeAPIServer?.enableAdmissionPlugins;
  expect(plugins).toContain('NodeRestriction');
  expect(plugins?.slice(-2)).toEqual(['PodNodeSelector', 'AlwaysPullImages']);
  expect(Object.values(origins.cluster)).toContain('kops sets it, whatever the spec says');
});

test('plugins that are not wanted, or that this version no longer has, are left out', () => {
  const given = {
    enableAdmissionPlugins: ['PodSecurityPolicy', 'AlwaysPullImages'],
    disableAdmissionPlugins: ['LimitRanger'],
  };
  const of = (kubernetesVersion: string) =>
    completed({ kubernetesVersion, kubeAPIServer: given }).cluster.spec.kubeAPIServer?.enableAdmissionPlugins;
  expect(of('1.35.0')).not.toContain('LimitRanger');
  expect(of('1.35.0')).not.toContain('PodSecurityPolicy');
  expect(of('1.24.17')).toContain('PodSecurityPolicy');
});

test('kubelets keep their rights, whatever an old spec says', () => {
  const spec = { authorization: { rbac: {} }, kubeAPIServer: { authorizationMode: 'RBAC' } };
  expect(completed(spec).cluster.spec.kubeAPIServer?.authorizationMode).toBe('Node,RBAC');
});

test('API servers listen where the cluster looks for them, and ask the etcd that it has, whatever an old spec says', () => {
  const old = {
    bindAddress: '127.0.0.1',
    securePort: 8443,
    etcdServers: ['http://127.0.0.1:4001'],
    etcdServersOverrides: ['/events#http://127.0.0.1:4002'],
  };
  const etcdClusters = ['main', 'events'].map((name) => ({ name }));
  const { cluster, origins } = completed({ etcdClusters, kubeAPIServer: old });
  expect(cluster.spec.kubeAPIServer).toMatchObject({
    bindAddress: '0.0.0.0',
    securePort: 443,
    etcdServers: ['https://127.0.0.1:4001'],
    etcdServersOverrides: ['/events#https://127.0.0.1:4002'],
  });
  expect(origins.cluster['spec.kubeAPIServer.securePort']).toBe('kops sets it, whatever the spec says');
  const withoutEvents = completed({ etcdClusters: [{ name: 'main' }], kubeAPIServer: old });
  expect(withoutEvents.cluster.spec.kubeAPIServer).not.toHaveProperty('etcdServersOverrides');
});

test('components are not told to use a provider that they do not have any more', () => {
  const inTree = { cloudProvider: 'aws' };
  const spec = { kubeControllerManager: inTree, kubelet: inTree, masterKubelet: inTree };
  const { kubeControllerManager, kubelet, masterKubelet } = completed(spec).cluster.spec;
  expect([kubeControllerManager, kubelet, masterKubelet].map((one) => one?.cloudProvider)).toEqual([
    'external',
    'external',
    'external',
  ]);
});

test('API servers are told of no provider of their own either, while they have a flag for it', () => {
  const spec = { kubernetesVersion: '1.30.4', kubeAPIServer: { cloudProvider: 'aws' } };
  expect(completed(spec).cluster.spec.kubeAPIServer?.cloudProvider).toBe('external');
});

test('a completed cluster is not changed by completing it again', () => {
  const { cluster } = completed({ kubeAPIServer: { enableAdmissionPlugins: ['PodNodeSelector'] } });
  expect(completed(cluster.spec).cluster.spec).toEqual(cluster.spec);
});

test('a person who sets the time for all pods to end sets that of the critical ones too', () => {
  const { kubelet, masterKubelet } = completed({ kubelet: { shutdownGracePeriod: '0s' } }).cluster.spec;
  expect(kubelet).toMatchObject({ shutdownGracePeriod: '0s' });
  expect(kubelet).not.toHaveProperty('shutdownGracePeriodCriticalPods');
  expect(masterKubelet).toMatchObject({ shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s' });
});

test('critical pods never have more time than all of them', () => {
  const { kubelet } = completed({ kubelet: { shutdownGracePeriodCriticalPods: '40s' } }).cluster.spec;
  expect(kubelet).toMatchObject({ shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '30s' });
});

test('a group of machines keeps within what its kubelet starts with', () => {
  const kubeletOf = (kubelet: object) => {
    const group = { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'InstanceGroup', metadata: { name: 'nodes' } } as const;
    return completed({}, [{ ...group, spec: { role: 'Node', kubelet } }]).instanceGroups[0]?.spec.kubelet;
  };
  expect(kubeletOf({ shutdownGracePeriod: '2m0s' })).toMatchObject({ shutdownGracePeriodCriticalPods: '10s' });
  expect(kubeletOf({ shutdownGracePeriod: '5s' })).toMatchObject({ shutdownGracePeriodCriticalPods: '5s' });
  expect(kubeletOf({ shutdownGracePeriodCriticalPods: '40s' })).toMatchObject({
    shutdownGracePeriodCriticalPods: '30s',
  });
  expect(kubeletOf({ maxPods: 30 })).toEqual({ maxPods: 30 });
});

test('API servers spread what is asked of metrics servers', () => {
  expect(completed({ metricsServer: { enabled: true } }).cluster.spec.kubeAPIServer).toMatchObject({
    enableAggregatorRouting: true,
  });
  expect(completed({}).cluster.spec.kubeAPIServer).not.toHaveProperty('enableAggregatorRouting');
});

test('parts of Cilium that a spec describes are there', () => {
  const { cilium } =
    completed({
      networking: { cilium: { enableNodePort: true, hubble: {}, ingress: { enabled: false }, ipam: 'eni' } },
    }).cluster.spec.networking ?? {};
  expect(cilium).toMatchObject({ hubble: { enabled: true }, ingress: { enabled: false }, enableBPFMasquerade: true });
  expect(cilium).not.toHaveProperty('gatewayAPI');
  const beside = completed({ networking: { cilium: { ipam: 'eni' } } }).cluster.spec.networking?.cilium;
  expect(beside).toMatchObject({ enableBPFMasquerade: false });
});

test('objects of leases have an etcd of their own where the spec says so', () => {
  const etcdClusters = ['main', 'events', 'leases'].map((name) => ({ name }));
  expect(completed({ etcdClusters }).cluster.spec.kubeAPIServer?.etcdServersOverrides).toEqual([
    '/events#https://127.0.0.1:4002',
    'coordination.k8s.io/leases#https://127.0.0.1:4004',
  ]);
});
