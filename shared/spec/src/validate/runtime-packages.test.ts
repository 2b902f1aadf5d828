import { expect, test } from 'vitest';
import type { ContainerdConfig } from '../cluster.ts';
import { validateRuntimePackages } from './runtime-packages.ts';

const URL_OF_IT = 'https://mirror.example.com/containerd.tar.gz';
const HASH = 'ab'.repeat(32);

const faulty = (containerd: ContainerdConfig): readonly string[] =>
  [
    ...validateRuntimePackages(
      { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: { containerd } },
      [],
    ),
  ].map(({ path }) => path);

test('a containerd of the user’s own needs a location and its hash', () => {
  expect(faulty({ packages: { urlAmd64: URL_OF_IT, hashAmd64: HASH } })).toEqual([]);
  expect(faulty({ packages: { urlAmd64: URL_OF_IT } })).toEqual(['spec.containerd.packages.urlAmd64']);
  expect(faulty({ runc: { packages: { hashArm64: HASH } } })).toEqual(['spec.containerd.runc.packages.hashArm64']);
});

test('what is not a URL or not a hash is refused', () => {
  expect(faulty({ packages: { urlAmd64: '/local/file', hashAmd64: 'sha256:x' } })).toEqual([
    'spec.containerd.packages.urlAmd64',
    'spec.containerd.packages.hashAmd64',
  ]);
});

test('a fault of a group names the group', () => {
  const group = { apiVersion: '', kind: 'InstanceGroup', metadata: { name: 'nodes' } } as const;
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec: {} } as const;
  const spec = { containerd: { packages: { urlAmd64: URL_OF_IT } } };
  expect([...validateRuntimePackages(cluster, [{ ...group, spec }])]).toMatchObject([{ instanceGroup: 'nodes' }]);
});
