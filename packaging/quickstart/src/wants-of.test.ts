import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import { minorOf } from '@kopsctl/spec/minor-version.ts';
import { expect, test } from 'vitest';
import { candidatesOf, wantsOf } from './wants-of.ts';

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
  expect(wantsOf(cluster(spec), 'cluster.yaml', RECOMMENDED_KUBERNETES)).toEqual(expected);
});

test('a file that is not a specification wants nothing', () => {
  expect(wantsOf('kind: Cluster', 'cluster.yaml', RECOMMENDED_KUBERNETES)).toEqual({
    kubernetes: [],
    docker: false,
    images: [],
  });
});

test('a cluster without a version may run an older minor version that is supported, the newest first', () => {
  const candidates = candidatesOf(cluster('{cloudProvider: local}'), 'cluster.yaml');
  const versions = candidates.map(({ kubernetes }) => kubernetes);
  expect(versions[0]).toBe(RECOMMENDED_KUBERNETES);
  expect(versions.map(minorOf)).toEqual(['1.36', '1.35', '1.34', '1.33', '1.32']);
  expect(candidates.map(({ wants }) => wants.kubernetes)).toEqual(versions.map((version) => [version]));
});

test('a cluster with a version has no other', () => {
  const candidates = candidatesOf(cluster('{kubernetesVersion: 1.36.3}'), 'cluster.yaml');
  expect(candidates.map(({ wants }) => wants.kubernetes)).toEqual([['1.36.3']]);
});
