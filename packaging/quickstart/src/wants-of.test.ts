import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { expect, test } from 'vitest';
import { wantsOf } from './wants-of.ts';

const cluster = (spec: string) => `apiVersion: kops.k8s.io/v1alpha2
kind: Cluster
metadata: {name: a.example}
spec: ${spec}`;

test.each([
  ['{cloudProvider: local}', { kubernetes: [RECOMMENDED_KUBERNETES], docker: false, images: [] }],
  ['{kubernetesVersion: v1.20.2, containerRuntime: docker}', { kubernetes: ['1.20.2'], docker: true, images: [] }],
  [
    '{kubernetesVersion: 1.34.4, networking: {flannel: {}}, metricsServer: {enabled: true}}',
    { kubernetes: ['1.34.4'], docker: false, images: ['metrics-server', 'flannel', 'flannel-cni-plugin'] },
  ],
])('a cluster of %s wants what it runs', (spec, expected) => {
  expect(wantsOf(cluster(spec), 'cluster.yaml')).toEqual(expected);
});

test('a file that is not a specification wants nothing', () => {
  expect(wantsOf('kind: Cluster', 'cluster.yaml')).toEqual({ kubernetes: [], docker: false, images: [] });
});
