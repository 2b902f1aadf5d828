import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { aws } from './aws.ts';

const CLOUD_CONFIG: NonNullable<ClusterSpec['cloudConfig']> = {
  disableSecurityGroupIngress: true,
  elbSecurityGroup: 'sg-1',
  manageStorageClasses: true,
  nlbSecurityGroupMode: 'Managed',
  nodeIPFamilies: ['ipv4'],
};
const told = (spec: ClusterSpec): readonly string[] => {
  const cluster = { apiVersion: '', kind: 'Cluster', metadata: { name: 'demo.example.com' }, spec } as const;
  return [...(aws.leftOut?.(cluster, []) ?? [])].map(({ path }) => path);
};

test('without a cloud controller manager, what only its configuration says is left out', () => {
  expect(told({ cloudConfig: CLOUD_CONFIG })).toEqual([
    'spec.cloudConfig.disableSecurityGroupIngress',
    'spec.cloudConfig.elbSecurityGroup',
    'spec.cloudConfig.nlbSecurityGroupMode',
    'spec.cloudConfig.nodeIPFamilies',
  ]);
  expect(told({ cloudConfig: { manageStorageClasses: true } })).toEqual([]);
  expect(told({ cloudConfig: CLOUD_CONFIG, cloudControllerManager: {} })).toEqual([]);
});
