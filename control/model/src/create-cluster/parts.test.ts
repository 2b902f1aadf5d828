import { expect, test } from 'vitest';
import { architectureOf } from '@kopsctl/clouds/aws/control/architecture.ts';
import { aws } from '@kopsctl/clouds/aws/control/aws.ts';
import { awsCreation } from '@kopsctl/clouds/aws/control/create-cluster.ts';
import { imageFor } from './channel.ts';
import { parseCloudLabels } from './cloud-labels.ts';
import { memberNames } from './etcd.ts';
import { assignSubnetCidrs } from './subnet-cidrs.ts';

test.each([
  [
    ['control-plane-us-east-1a', 'control-plane-us-east-1b'],
    ['a', 'b'],
  ],
  [['control-plane-eu-west-1a'], ['a']],
  [
    ['control-plane-nova-1', 'control-plane-nova-2'],
    ['etcd-1', 'etcd-2'],
  ],
  [
    ['control-plane-1a-1', 'control-plane-1b-1', 'control-plane-1a-2'],
    ['a-1', 'b-1', 'a-2'],
  ],
  [
    ['master-x', 'other'],
    ['x', 'other'],
  ],
])('Members on %j are called %j', (groups, names) => {
  expect(memberNames(groups)).toEqual(names);
});

test.each([
  ['Owner=John Doe,Team=Some Team', { Owner: 'John Doe', Team: 'Some Team' }],
  ['dn="cn=John: dc=x", foo/bar=baz', { dn: 'cn=John: dc=x', 'foo/bar': 'baz' }],
  ['a="say ""hi"""', { a: 'say "hi"' }],
  ['a=', { a: '' }],
])('Labels %j are read', (text, labels) => {
  expect(parseCloudLabels(text)).toEqual(labels);
});

test('A comma too many after labels does not matter', () => {
  expect(parseCloudLabels('a=b,')).toEqual({ a: 'b' });
});

test.each(['a', '=b', 'a=b=c', 'a="b'])('Labels %j are refused', (text) => {
  expect(() => parseCloudLabels(text)).toThrow('which is not key=value');
});

test('An image is the newest that the channel has for a version', () => {
  const image = (architecture: 'amd64' | 'arm64', version: string) => {
    const images = awsCreation.images?.[architecture];
    return images && imageFor(images, version);
  };
  expect(image('amd64', 'v1.26.0')).toContain('focal');
  expect(image('amd64', '1.31.9')).toContain('jammy');
  expect(image('amd64', '1.32.0')).toContain('noble');
  expect(image('arm64', '1.36.3')).toMatch(/noble.*arm64/);
});

test.each([
  ['t3.medium', 'amd64'],
  ['m6g.large', 'arm64'],
  ['c7gn.xlarge', 'arm64'],
  ['a1.large', 'arm64'],
  ['g4dn.xlarge', 'amd64'],
  ['g5g.xlarge', 'arm64'],
])('%s of AWS is %s', (machineType, architecture) => {
  expect(architectureOf(machineType)).toBe(architecture);
});

test('Subnets share the network by their number, small ones share one part, and used parts are skipped', () => {
  const cidrs = (
    subnets: readonly (readonly [string, string, string?])[],
    networkCIDR = '10.0.0.0/16',
    longestPrefix = 28,
  ) =>
    assignSubnetCidrs(
      {
        networkCIDR,
        subnets: subnets.map(([name, type, cidr]) => ({ name, type, zone: name, ...(cidr && { cidr }) })),
      },
      undefined,
      longestPrefix,
    ).subnets?.map(({ cidr }) => cidr);
  expect(cidrs([['a', 'Public']])).toEqual(['10.0.0.0/16']);
  expect(
    cidrs([
      ['a', 'Public'],
      ['b', 'Public'],
      ['c', 'Public'],
    ]),
  ).toEqual(['10.0.0.0/18', '10.0.64.0/18', '10.0.128.0/18']);
  expect(
    cidrs([
      ['a', 'Private'],
      ['utility-a', 'Utility'],
    ]),
  ).toEqual(['10.0.128.0/17', '10.0.0.0/20']);
  expect(
    cidrs([
      ['a', 'Public', '10.0.0.0/18'],
      ['b', 'Public'],
    ]),
  ).toEqual(['10.0.0.0/18', '10.0.128.0/17']);
  const both = [
    ['a', 'Private'],
    ['utility-a', 'Utility'],
  ] as const;
  expect(cidrs(both, '10.0.0.0/25', 29)).toEqual(['10.0.0.64/26', '10.0.0.0/29']);
  expect(() => cidrs(both, '10.0.0.0/25', 28)).toThrow('10.0.0.0/25 has no room');
  expect(cidrs([['a', 'Public']], '10.0.0.0/28')).toEqual(['10.0.0.0/28']);
  expect(() => cidrs([['a', 'Public']], '10.0.0.0/29')).toThrow('10.0.0.0/29 has no room');
});

test('An additional group is placed according to its role', () => {
  const cluster = {
    apiVersion: 'kops.k8s.io/v1alpha2',
    kind: 'Cluster' as const,
    metadata: { name: 'demo.example.com' },
    spec: {
      cloudProvider: 'aws' as const,
      subnets: [
        { name: 'a', type: 'Private', zone: 'eu-west-1a' },
        { name: 'utility-a', type: 'Utility', zone: 'eu-west-1a' },
      ],
    },
  };
  const group = aws.creation.instanceGroup(cluster, { name: 'gpu', role: 'node', subnets: [] });
  expect(group.spec).toMatchObject({ role: 'Node', minSize: 2, maxSize: 2, subnets: ['a'] });
  expect(
    aws.creation.instanceGroup(cluster, { name: 'gpu', role: 'node', subnets: ['eu-west-1a'] }).spec.subnets,
  ).toEqual(['a']);
  expect(() => aws.creation.instanceGroup(cluster, { name: 'gpu', role: 'node', subnets: ['z'] })).toThrow(
    "no subnet 'z'",
  );
});

test('A network is split into eight parts at most while these are enough', () => {
  const zones = ['a', 'b', 'c', 'd'];
  const spec = {
    networkCIDR: '10.0.0.0/16',
    nonMasqueradeCIDR: '::/0',
    subnets: ['DualStack', 'Private', 'Utility'].flatMap((type) =>
      zones.map((zone) => ({ name: `${type}-${zone}`, type, zone })),
    ),
  };
  const ranges = (assignSubnetCidrs(spec, undefined, 28).subnets ?? []).map(({ cidr }) => cidr);
  expect(ranges.slice(0, 4)).toEqual(['10.0.32.0/19', '10.0.64.0/19', '10.0.96.0/19', '10.0.128.0/19']);
  expect(ranges.slice(4, 8)).toEqual([undefined, undefined, undefined, undefined]);
  expect(ranges.slice(8)).toEqual(['10.0.0.0/22', '10.0.4.0/22', '10.0.8.0/22', '10.0.12.0/22']);
});
