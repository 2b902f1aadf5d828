import { describe, expect, test } from 'vitest';
import { explainPath } from './explain.ts';

const completion = {
  written: {
    spec: { channel: 'stable', kubernetesVersion: 'v1.35.0', subnets: [{ name: 'a' }], cloudLabels: { 'a.b': 'c' } },
  },
  completed: {
    spec: {
      channel: 'stable',
      kubernetesVersion: '1.35.0',
      subnets: [{ name: 'a', cidr: '10.0.0.0/24' }],
      cloudLabels: { 'a.b': 'c' },
      kubelet: { featureGates: { A: 'true' } },
    },
  },
  origins: { 'spec.subnets[0].cidr': 'part of spec.networkCIDR', 'spec.kubelet.featureGates': 'default of kubelet' },
};
const origins = (path: string) => explainPath('Cluster', path, completion).map((one) => `${one.path}: ${one.origin}`);

describe('explainPath', () => {
  test.each([
    ['spec.channel', ['spec.channel: set by you']],
    ['cluster.spec.channel', ['spec.channel: set by you']],
    ['spec.kubernetesVersion', ['spec.kubernetesVersion: set by you']],
    ['spec.subnets[0].cidr', ['spec.subnets[0].cidr: part of spec.networkCIDR']],
    ['spec.networking.subnets[0].cidr', ['spec.subnets[0].cidr: part of spec.networkCIDR']],
    ['spec.subnets', ['spec.subnets[0].cidr: part of spec.networkCIDR', 'spec.subnets[0].name: set by you']],
    ['spec.kubelet', ['spec.kubelet.featureGates.A: default of kubelet']],
    ['spec.cloudLabels', ['spec.cloudLabels["a.b"]: set by you']],
    ['spec.podCIDR', ['spec.podCIDR: not set, and no rule sets it']],
  ])('%s', (path, expected) => {
    expect(origins(path)).toEqual(expected);
  });

  test('what create cluster chose is its own until it is changed', () => {
    const inferred = { 'spec.channel': 'stable', 'spec.kubernetesVersion': 'v1.34.0' };
    const origin = (path: string) => explainPath('Cluster', path, { ...completion, inferred })[0]?.origin;
    expect(origin('spec.channel')).toBe('set by create cluster');
    expect(origin('spec.kubernetesVersion')).toBe('set by you');
  });

  test('a field that each node has for itself says so', () => {
    const withoutValue = { 'spec.kubelet.hostnameOverride': "each node's own name" };
    expect(explainPath('Cluster', 'spec.kubelet.hostnameOverride', { ...completion, withoutValue })).toEqual([
      { path: 'spec.kubelet.hostnameOverride', value: undefined, origin: "each node's own name" },
    ]);
  });

  test('of the whole spec, every value', () => {
    expect(origins('spec').length).toBeGreaterThan(4);
  });

  test.each([
    ['spec.kubelet.maxPodz', "has no field 'maxPodz' there"],
    ['nope', "has no field 'nope' there"],
  ])('%s is refused', (path, why) => {
    expect(() => origins(path)).toThrow(why);
  });
});
