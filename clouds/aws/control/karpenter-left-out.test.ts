import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import { expect, test } from 'vitest';
import { karpenterLeftOut } from './karpenter-left-out.ts';

const UBUNTU = '099720109477/ubuntu/images/hvm-ssd-gp3/ubuntu-noble-24.04-amd64-server-20260714';
const KARPENTER: ClusterSpec = { karpenter: { enabled: true }, subnets: [{ name: 'a', type: 'Public' }] };

const told = (spec: ClusterSpec, ...groups: readonly InstanceGroupSpec[]) =>
  [
    ...karpenterLeftOut(
      { apiVersion: '', kind: 'Cluster', metadata: { name: 'a.b' }, spec },
      groups.map((one, index) => ({
        apiVersion: '',
        kind: 'InstanceGroup',
        metadata: { name: `nodes-${index}` },
        spec: one,
      })),
    ),
  ].map(({ instanceGroup = 'cluster', path }) => `${instanceGroup} ${path}`);

test('names each group whose machines Karpenter would have to make where it is not installed, and no other', () => {
  const groups = [{ manager: 'Karpenter' }, { manager: 'CloudGroup' }, {}];
  expect(told({}, ...groups)).toEqual(['nodes-0 spec.manager']);
  expect(told({ karpenter: { enabled: false } }, ...groups)).toEqual(['nodes-0 spec.manager']);
  expect(told(KARPENTER, ...groups)).toEqual([]);
});

test.each<readonly [string, ClusterSpec, InstanceGroupSpec, readonly string[]]>([
  [
    'machines that find the API by its load balancer',
    { ...KARPENTER, topology: { dns: { type: 'None' } }, api: { loadBalancer: {} } },
    {},
    ['nodes-0 spec.manager'],
  ],
  ['subnets without tags', { ...KARPENTER, DisableSubnetTags: true }, {}, ['nodes-0 spec.manager']],
  ['subnets of others', { ...KARPENTER, DisableSubnetTags: true, subnets: [{ name: 'a', id: 'subnet-1' }] }, {}, []],
  [
    'settings that an auto-scaling group has',
    KARPENTER,
    { compressUserData: true, maxPrice: '0.1', tenancy: 'dedicated', rootVolumeSize: 9, image: UBUNTU },
    ['nodes-0 spec.compressUserData', 'nodes-0 spec.tenancy', 'nodes-0 spec.maxPrice'],
  ],
  [
    'the root volume of an image that nobody knows',
    KARPENTER,
    { image: 'ami-1', rootVolumeSize: 9 },
    ['nodes-0 spec.image', 'nodes-0 spec.rootVolumeSize'],
  ],
  ['machines that live for ever', KARPENTER, { maxInstanceLifetime: '0s' }, ['nodes-0 spec.maxInstanceLifetime']],
  ['machines that live for some days', KARPENTER, { maxInstanceLifetime: '48h' }, []],
  [
    'a form of the log',
    { karpenter: { enabled: true, logEncoding: 'json' } },
    {},
    ['cluster spec.karpenter.logEncoding'],
  ],
])('names what Karpenter does not do: %s', (_, spec, group, expected) => {
  expect(told(spec, { manager: 'Karpenter', subnets: ['a'], ...group })).toEqual(expected);
});
