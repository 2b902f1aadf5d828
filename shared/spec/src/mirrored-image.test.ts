import { describe, expect, test } from 'vitest';
import { mirroredImage } from './mirrored-image.ts';

// The cases of kops (pkg/assets/builder_test.go) and additional ones.
describe('a registry that has all images', () => {
  const assets = { containerRegistry: 'registry.example.com/mirror' };
  test.each([
    ['registry.k8s.io/kube-apiserver:v1.36.3', 'registry.example.com/mirror/kube-apiserver:v1.36.3'],
    ['registry.k8s.io/coredns/coredns:v1.14.2', 'registry.example.com/mirror/coredns-coredns:v1.14.2'],
    ['k8s.gcr.io/pause:3.2', 'registry.example.com/mirror/pause:3.2'],
    ['quay.io/cilium/cilium:v1.18.12', 'registry.example.com/mirror/quay.io-cilium-cilium:v1.18.12'],
    ['busybox:1.37.0', 'registry.example.com/mirror/busybox:1.37.0'],
  ])('has %s', (image, mirrored) => {
    expect(mirroredImage(image, assets)).toBe(mirrored);
    expect(mirroredImage(mirrored, assets)).toBe(mirrored);
  });

  test('may have a trailing slash', () => {
    expect(mirroredImage('busybox:1', { containerRegistry: 'r.example.com/' })).toBe('r.example.com/busybox:1');
  });
});

describe('a proxy of registries', () => {
  const assets = { containerProxy: 'proxy.example.com/' };
  test.each([
    ['registry.k8s.io/kube-apiserver:v1.36.3', 'proxy.example.com/kube-apiserver:v1.36.3'],
    ['registry.k8s.io/coredns/coredns:v1.14.2', 'proxy.example.com/coredns/coredns:v1.14.2'],
    ['quay.io/cilium/cilium:v1.18.12', 'proxy.example.com/cilium/cilium:v1.18.12'],
    ['weaveworks/weave-kube:2.8.1', 'proxy.example.com/weaveworks/weave-kube:2.8.1'],
    ['busybox:1.37.0', 'proxy.example.com/busybox:1.37.0'],
  ])('has %s', (image, mirrored) => {
    expect(mirroredImage(image, assets)).toBe(mirrored);
    expect(mirroredImage(mirrored, assets)).toBe(mirrored);
  });

  test('with a path is not added twice', () => {
    const once = mirroredImage('quay.io/cilium/cilium:v1', { containerProxy: 'proxy.example.com/hub' });
    expect(once).toBe('proxy.example.com/hub/cilium/cilium:v1');
    expect(mirroredImage(once, { containerProxy: 'proxy.example.com/hub' })).toBe(once);
  });
});

test('without a mirror, an image keeps its name', () => {
  expect(mirroredImage('registry.k8s.io/pause:3.10.1', {})).toBe('registry.k8s.io/pause:3.10.1');
  expect(mirroredImage('registry.k8s.io/pause:3.10.1')).toBe('registry.k8s.io/pause:3.10.1');
});
