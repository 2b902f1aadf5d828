import { describe, expect, test } from 'vitest';
import { canonicalRepository, fullImageName, imageNameForCtr, parseImage, registryApiHost } from './image-reference.ts';

describe('an image', () => {
  test.each([
    ['registry.k8s.io/pause:3.10.1', { repository: 'registry.k8s.io/pause', tag: '3.10.1' }],
    ['localhost:5000/tools/one', { repository: 'localhost:5000/tools/one' }],
    ['busybox@sha256:abc', { repository: 'busybox', digest: 'sha256:abc' }],
    ['quay.io/a/b:v1@sha256:abc', { repository: 'quay.io/a/b', tag: 'v1', digest: 'sha256:abc' }],
  ])('%s has a repository, a tag and a digest', (reference, parts) => {
    expect(parseImage(reference)).toEqual(parts);
  });

  test.each([
    ['busybox', 'docker.io/library/busybox'],
    ['rancher/local-path-provisioner', 'docker.io/rancher/local-path-provisioner'],
    ['k8s.gcr.io/coredns/coredns', 'registry.k8s.io/coredns/coredns'],
    ['localhost:5000/busybox', 'localhost:5000/busybox'],
  ])('%s has one canonical repository', (repository, canonical) => {
    expect(canonicalRepository(repository)).toBe(canonical);
  });

  test.each([
    ['busybox:1.35', 'docker.io/library/busybox:1.35'],
    ['rancher/local-path-provisioner:v0.0.30', 'docker.io/rancher/local-path-provisioner:v0.0.30'],
    ['quay.io/cilium/cilium', 'quay.io/cilium/cilium'],
    ['localhost/tool:1', 'localhost/tool:1'],
    ['registry:5000/tool', 'registry:5000/tool'],
    // containerd keeps an image by the name that it was pulled by.
    ['k8s.gcr.io/pause:3.2', 'k8s.gcr.io/pause:3.2'],
  ])('%s has one full name', (image, full) => {
    expect(fullImageName(image)).toBe(full);
  });

  test.each([
    ['busybox', 'docker.io/library/busybox:latest'],
    ['localhost:5000/tool', 'localhost:5000/tool:latest'],
    ['quay.io/a/b:v1', 'quay.io/a/b:v1'],
    ['busybox@sha256:abc', 'docker.io/library/busybox@sha256:abc'],
  ])('%s has a name that ctr takes', (image, name) => {
    expect(imageNameForCtr(image)).toBe(name);
  });
});

test.each([
  ['docker.io', 'registry-1.docker.io'],
  ['registry.k8s.io', 'registry.k8s.io'],
])('the API of %s is at %s', (registry, host) => {
  expect(registryApiHost(registry)).toBe(host);
});
