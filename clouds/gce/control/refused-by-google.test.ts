import { expect, test } from 'vitest';
import { refusedByGoogle } from './refused-by-google.ts';
import { gceCompleted, type Wish } from './testdata/gce-tasks.ts';

const refused = (wish: Wish): readonly string[] => {
  const { cluster, instanceGroups } = gceCompleted(wish);
  return [...refusedByGoogle(cluster, instanceGroups)].map(({ instanceGroup, path }) =>
    instanceGroup === undefined ? path : `${instanceGroup}: ${path}`,
  );
};
const subnet = { name: 'us-east1', region: 'us-east1', type: 'Public' } as const;
const member = (name: string) => ({ etcdMembers: [{ name, instanceGroup: 'control-plane-us-east1-b' }] });

test('Google takes the names and labels of a usual cluster', () => {
  expect(refused({ spec: { cloudLabels: { team: 'a_b-1', größe: 'übergroß' } } })).toEqual([]);
  expect(refused({ name: `${'a'.repeat(51)}.example.com` })).toEqual([]);
});

test.each<[Wish, string]>([
  [{ spec: { cloudLabels: { Team: 'a' } } }, 'spec.cloudLabels.Team'],
  [{ spec: { cloudLabels: { '1st': 'a' } } }, 'spec.cloudLabels.1st'],
  [{ spec: { cloudLabels: { team: 'A' } } }, 'spec.cloudLabels.team'],
  [{ spec: { cloudLabels: { team: 'a.b' } } }, 'spec.cloudLabels.team'],
  [{ spec: { cloudLabels: { team: 'a'.repeat(64) } } }, 'spec.cloudLabels.team'],
  [
    { groups: { nodes: { role: 'Node', zones: ['us-east1-b'], cloudLabels: { Team: 'a' } } } },
    'nodes: spec.cloudLabels.Team',
  ],
  [
    { groups: { nodes: { role: 'Node', zones: ['us-east1-b'], image: 'cos-cloud/cos-121-18867-0-0' } } },
    'nodes: spec.image',
  ],
  [
    {
      groups: {
        nodes: {
          role: 'Node',
          zones: ['us-east1-b'],
          image: 'projects/kinvolk-public/global/images/family/flatcar-stable',
        },
      },
    },
    'nodes: spec.image',
  ],
  [
    {
      groups: {
        nodes: {
          role: 'Node',
          zones: ['us-east1-b'],
          image: 'projects/ubuntu-os-cloud/global/images/family/ubuntu-1804-lts',
        },
      },
    },
    'nodes: spec.image',
  ],
  [
    { groups: { nodes: { role: 'Node', zones: ['us-east1-b'], image: 'rocky-linux-cloud/rocky-linux-10-v20260611' } } },
    'nodes: spec.image',
  ],
  [{ name: `${'a'.repeat(52)}.example.com` }, 'metadata.name'],
  [{ name: '1st.example.com' }, 'metadata.name'],
  [{ spec: { subnets: [{ ...subnet, name: 'US_East' }] } }, 'spec.subnets[0].name'],
  [{ spec: { subnets: [{ ...subnet, name: 'a'.repeat(53) }] } }, 'spec.subnets[0].name'],
  [
    { spec: { subnets: [{ ...subnet, name: 'a'.repeat(37) }], api: { loadBalancer: { type: 'Internal' } } } },
    'spec.subnets[0].name',
  ],
  [{ spec: { etcdClusters: [{ name: 'Main', ...member('b') }] } }, 'spec.etcdClusters[0].name'],
  [{ spec: { etcdClusters: [{ name: 'main', ...member('B') }] } }, 'spec.etcdClusters[0].etcdMembers[0].name'],
  [
    { spec: { etcdClusters: [{ name: 'main', ...member('b'.repeat(31)) }] } },
    'spec.etcdClusters[0].etcdMembers[0].name',
  ],
  [
    { spec: { etcdClusters: [{ name: 'main', ...member('b'.repeat(43)) }] } },
    'spec.etcdClusters[0].etcdMembers[0].name',
  ],
])('%j is refused at %s', (wish, path) => {
  expect(refused(wish)).toContain(path);
});

test('a subnet that exists has a name of its own, which only load balancers put into theirs', () => {
  const shared = { networkID: 'net', subnets: [{ ...subnet, name: 'US', id: 'us' }] };
  expect(refused({ spec: shared })).toEqual([]);
  expect(refused({ spec: { ...shared, api: { loadBalancer: { type: 'Internal' } } } })).toEqual([
    'spec.subnets[0].name',
  ]);
});
