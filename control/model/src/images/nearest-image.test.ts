import { describe, expect, test } from 'vitest';
import { nearestImage } from './nearest-image.ts';

const coredns = (version: string) => `registry.k8s.io/coredns/coredns:v${version}`;

describe('the nearest image that is held', () => {
  test.each([
    ['the same version', ['1.14.2', '1.15.0'], '1.14.2'],
    ['the nearest minor version', ['1.10.1', '1.15.0'], '1.15.0'],
    ['an older one that is nearer', ['1.13.0', '2.0.0'], '1.13.0'],
    ['the nearest patch of the same minor version', ['1.14.0', '1.14.3', '1.15.0'], '1.14.3'],
    ['the newer of two that are equally near', ['1.13.0', '1.15.0'], '1.15.0'],
  ])('is %s', (_, held, nearest) => {
    expect(nearestImage(coredns('1.14.2'), held.map(coredns))).toBe(coredns(nearest));
  });

  test('is one of the versions that work', () => {
    const held = ['1.9.3', '1.15.0'].map(coredns);
    expect(nearestImage(coredns('1.14.2'), held, '<1.11.0')).toBe(coredns('1.9.3'));
    expect(nearestImage(coredns('1.14.2'), [coredns('1.15.0')], '<1.11.0')).toBeUndefined();
  });

  test('is never an image of another name', () => {
    expect(nearestImage(coredns('1.14.2'), ['docker.io/coredns/coredns:v1.14.2'])).toBeUndefined();
  });

  test('may be written in another way', () => {
    expect(nearestImage('docker.io/library/busybox:1.37.0', ['busybox:1.37.0-1'])).toBe('busybox:1.37.0-1');
    expect(nearestImage('registry.k8s.io/pause:3.10.1', ['k8s.gcr.io/pause:3.2'])).toBe('k8s.gcr.io/pause:3.2');
  });

  test('is the newest where the wanted one has no version', () => {
    const held = ['example.com/tool:v1.0.0', 'example.com/tool:v2.0.0'];
    expect(nearestImage('example.com/tool:latest', held)).toBe('example.com/tool:v2.0.0');
  });
});
