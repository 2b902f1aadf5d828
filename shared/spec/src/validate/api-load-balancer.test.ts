import { expect, test } from 'vitest';
import { CLOUD_TRAITS } from '../cloud-traits.ts';
import type { ClusterSpec } from '../cluster.ts';
import { validateApiLoadBalancer } from './api-load-balancer.ts';

const pathsOf = (type: string, subnets: ClusterSpec['subnets'], traits = CLOUD_TRAITS): readonly string[] => {
  const spec: ClusterSpec = { api: { loadBalancer: { type } }, ...(subnets && { subnets }) };
  const cluster = { apiVersion: '', kind: 'Cluster' as const, metadata: { name: 'demo.example.com' }, spec };
  return [...validateApiLoadBalancer(cluster, traits)].map(({ path }) => path);
};

test('an internal load balancer needs a private subnet', () => {
  expect(pathsOf('Internal', [{ name: 'a', type: 'Public' }])).toEqual(['spec.api.loadBalancer.type']);
  expect(pathsOf('Internal', [{ name: 'a', type: 'Public' }], { ...CLOUD_TRAITS, hasLoadBalancers: false })).toEqual(
    [],
  );
  expect(
    pathsOf('Internal', [
      { name: 'a', type: 'Public' },
      { name: 'b', type: 'Private' },
    ]),
  ).toEqual([]);
  expect(pathsOf('Public', [{ name: 'a', type: 'Public' }])).toEqual([]);
  expect(pathsOf('Internal', undefined)).toEqual([]);
});
