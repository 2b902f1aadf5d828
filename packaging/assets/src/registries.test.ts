import { expect, test } from 'vitest';

import { askedRegistries, registryOf } from './registries.ts';

test.each([
  ['registry.k8s.io/coredns/coredns:v1.10.1', 'registry.k8s.io'],
  ['docker.io/rancher/local-path-provisioner:v0.0.30', 'docker.io'],
  ['busybox:1.37.0', 'docker.io'],
  ['localhost:5000/tool:1', 'localhost:5000'],
])('the registry of %s is %s', (reference, registry) => {
  expect(registryOf(reference)).toBe(registry);
});

test('registries are asked at the same time, once each, and not before the answer of one is needed', async () => {
  const asked: string[] = [];
  const { promise: slow, resolve } = Promise.withResolvers<string | undefined>();
  const registries = askedRegistries(['ghcr.io', 'quay.io'], async (host) => {
    asked.push(host);
    return host === 'quay.io' ? slow : undefined;
  });
  expect(asked).toEqual([]);
  const first = registries.whyNot('ghcr.io');
  expect(asked).toEqual(['ghcr.io', 'quay.io']);
  resolve('quay.io does not answer: ENOTFOUND');
  expect(await first).toBe(undefined);
  expect(await registries.whyNot('quay.io')).toBe('quay.io does not answer: ENOTFOUND');
  expect(asked).toEqual(['ghcr.io', 'quay.io']);
});
