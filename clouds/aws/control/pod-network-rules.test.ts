import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { completeCluster, type Completed } from '@kopsctl/spec/complete.ts';
import { explainPath } from '@kopsctl/spec/explain.ts';
import type { KubeletConfig } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { aws } from './aws.ts';

const NONE = { shutdownGracePeriod: '0s', shutdownGracePeriodCriticalPods: '0s' };

function completed(spec: ClusterSpec, kubelet?: KubeletConfig): Completed {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster',
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: 'aws',
      networking: { amazonvpc: {} },
      subnets: [{ name: 'a', zone: 'us-east-1a', type: 'Public' }],
      ...spec,
    },
  } as const;
  const group = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'InstanceGroup',
    metadata: { name: 'nodes' },
    spec: { role: 'Node', ...(kubelet && { kubelet }) },
  } as const;
  return completeCluster({ cluster, instanceGroups: [group] }, { stateStoreUrl: 's3://state' }, aws);
}

function explained(spec: ClusterSpec, path: string) {
  const { cluster, origins, withoutValue } = completed(spec);
  return explainPath('Cluster', path, {
    written: { spec },
    completed: cluster,
    origins: origins.cluster,
    withoutValue: withoutValue.cluster,
  });
}

test.each([{ kubernetesVersion: '1.36.3' }, {}])(
  'machines that are shut down do not wait for pods, whose interfaces the network must give back: %j',
  (spec) => {
    const { kubelet, masterKubelet } = completed(spec).cluster.spec;
    expect([kubelet, masterKubelet]).toMatchObject([NONE, NONE]);
  },
);

test('nor do they where a person wants them to wait', () => {
  const spec = { kubelet: { shutdownGracePeriod: '1m0s' } };
  expect(completed(spec).cluster.spec.kubelet).toMatchObject(NONE);
  expect(explained(spec, 'spec.kubelet.shutdownGracePeriod')).toMatchObject([
    { value: '0s', origin: "kops sets it with Amazon's network, whatever the spec says" },
  ]);
  const groups = [{ shutdownGracePeriod: '30s' }, { shutdownGracePeriodCriticalPods: '5s' }, { maxPods: 30 }];
  expect(groups.map((kubelet) => completed({}, kubelet).instanceGroups[0]?.spec.kubelet)).toEqual([
    NONE,
    NONE,
    { maxPods: 30 },
  ]);
});

test('a kubelet that cannot wait is not told to', () => {
  expect(completed({ kubernetesVersion: '1.20.15' }).cluster.spec.kubelet).not.toHaveProperty('shutdownGracePeriod');
});

test('kube-proxy masquerades nothing by the addresses of pods, unless a person says so', () => {
  const [told] = explained({}, 'spec.kubeProxy.clusterCIDR');
  expect(told).toMatchObject({ value: undefined, origin: expect.stringContaining('addresses of the VPC') });
  const kubeProxy = { clusterCIDR: '10.0.0.0/8' };
  expect(completed({ kubeProxy }).cluster.spec.kubeProxy).toMatchObject(kubeProxy);
  const cilium = { cilium: { ipam: 'eni' } } as const;
  expect(completed({ networking: cilium }).cluster.spec.kubeProxy).toHaveProperty('clusterCIDR');
});

test('how many pods a machine takes is left to it', () => {
  const limits = (networking: NonNullable<ClusterSpec['networking']>) =>
    explained({ networking }, 'spec.kubelet.maxPods').map(({ origin }) => origin.replace(/:.*/, ''));
  expect(limits({ amazonvpc: {} })).toEqual(['no value here']);
  expect(limits({ cilium: { ipam: 'eni' } })).toEqual(['no value here']);
  expect(limits({ cilium: {} })).toEqual(['not set, and no rule sets it']);
});
