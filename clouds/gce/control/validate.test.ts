import { expect, test } from 'vitest';
import { gceCompleted, type Wish } from './testdata/gce-tasks.ts';
import { validateGce } from './validate.ts';

const pathsOf = (wish: Wish): readonly string[] => {
  const { cluster, instanceGroups } = gceCompleted(wish);
  return [...validateGce(cluster, instanceGroups)].map(({ path }) => path);
};
const subnet = { name: 'us-east1', region: 'us-east1', type: 'Public' };

test('a usual cluster has no fault', () => {
  expect(pathsOf({})).toEqual([]);
});

test.each<[Wish, string]>([
  [{ spec: { project: '' } }, 'spec.project'],
  [{ spec: { karpenter: { enabled: true } } }, 'spec.karpenter'],
  [{ spec: { networkCIDR: '10.0.0.0/8' } }, 'spec.networkCIDR'],
  [{ spec: { subnets: [{ ...subnet, zone: 'us-east1-b' }] } }, 'spec.subnets[0].zone'],
  [{ spec: { subnets: [{ ...subnet, egress: 'tgw-1' }] } }, 'spec.subnets[0].egress'],
  [{ spec: { subnets: [subnet, { ...subnet, name: 'b', region: 'us-west1' }] } }, 'spec.subnets[1].region'],
  [{ spec: { subnets: [subnet, { ...subnet, name: 'b', id: 'x' }] } }, 'spec.subnets[1].id'],
  [{ spec: { networkID: 'net' } }, 'spec.subnets[0].cidr'],
  [{ spec: { subnets: [{ ...subnet, id: 'x' }] } }, 'spec.subnets[0].id'],
  [{ groups: { nodes: { role: 'Node', zones: ['us-west1-b'] } } }, 'spec.zones[0]'],
  [{ groups: { nodes: { role: 'Node', zones: [] } } }, 'spec.zones'],
  [{ groups: { nodes: { role: 'Node', zones: ['us-east1-b'], image: 'a/b/c' } } }, 'spec.image'],
  [{ groups: { 'a.b': { role: 'Node', zones: ['us-east1-b'] } } }, 'metadata.name'],
])('%j has a fault at %s', (wish, path) => {
  expect(pathsOf(wish)).toContain(path);
});
