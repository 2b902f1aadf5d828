import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { expect, test } from 'vitest';
import { networkFaults } from './network-faults.ts';

const network = {
  subnets: [
    { id: 'apps', place: 'us-east1', cidr: '10.0.0.0/20' },
    { id: 'apps', place: 'us-west1', cidr: '10.1.0.0/20' },
    { id: 'subnet-1', place: 'eu-west-1a', cidr: '10.2.0.0/20' },
  ],
};
const found = (subnet: NonNullable<ClusterSpec['subnets']>[number]) =>
  [...networkFaults({ networkID: 'net', subnets: [subnet] }, network)].map(
    ({ path, message }) => `${path}: ${message}`,
  );

test.each<[NonNullable<ClusterSpec['subnets']>[number], string[]]>([
  [{ id: 'apps', region: 'us-west1' }, []],
  [{ id: 'subnet-1', zone: 'eu-west-1a' }, []],
  [{ name: 'made' }, []],
  [{ id: 'other' }, ['spec.subnets[0].id: the network net has no subnet other']],
  [{ id: 'apps', region: 'asia-east1' }, ['spec.subnets[0].id: apps is in us-east1 and us-west1, not in asia-east1']],
  [{ id: 'subnet-1', zone: 'eu-west-1b' }, ['spec.subnets[0].id: subnet-1 is in eu-west-1a, not in eu-west-1b']],
])('of the subnet %j the network says %j', (subnet, faults) => {
  expect(found(subnet)).toEqual(faults);
});

test('a network that does not exist is one fault, whatever it should have', () => {
  const spec: ClusterSpec = { networkID: 'gone', subnets: [{ id: 'a' }, { id: 'b' }] };
  expect([...networkFaults(spec, undefined)].map(({ path }) => path)).toEqual(['spec.networkID']);
});
