import { expect, test } from 'vitest';
import type { ContainerdConfig } from '../cluster.ts';
import { validateRegistryMirrors } from './registry-mirrors.ts';

const messages = (registryMirrors: NonNullable<ContainerdConfig['registryMirrors']>) => {
  const cluster = { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'Cluster', metadata: { name: 'c.test' } } as const;
  const group = { apiVersion: 'kops.k8s.io/v1alpha2', kind: 'InstanceGroup', metadata: { name: 'nodes' } } as const;
  const ofCluster = validateRegistryMirrors({ ...cluster, spec: { containerd: { registryMirrors } } }, []);
  const ofGroup = validateRegistryMirrors({ ...cluster, spec: {} }, [
    { ...group, spec: { containerd: { registryMirrors } } },
  ]);
  const [first, second] = [[...ofCluster], [...ofGroup]];
  expect(second.map(({ instanceGroup, ...one }) => (instanceGroup === 'nodes' ? one : undefined))).toEqual(first);
  return first.map(({ message }) => message);
};

test('accepts hosts whose mirrors are URLs, in a cluster and in a group', () => {
  expect(messages({ '*': ['https://m.test'], 'docker.io': ['http://10.0.0.1:5000/v2'], 'r.test:5000': [] })).toEqual(
    [],
  );
});

test.each(['https://docker.io', '../..', 'a/b', '', 'a b'])('%j is not the host of a registry', (registry) => {
  expect(messages({ [registry]: [] })).toEqual([`'${registry}' is not the host of a registry`]);
});

test.each(['mirror.test', 'ftp://mirror.test', 'https://'])('%j is not the address of a mirror', (mirror) => {
  expect(messages({ 'docker.io': [mirror] })).toEqual([`'${mirror}' is not an http or https URL`]);
});
