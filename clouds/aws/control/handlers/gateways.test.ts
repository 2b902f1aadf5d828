import { expect, test } from 'vitest';
import { egressOnlyInternetGatewayHandler, internetGatewayHandler } from './gateways.ts';
import { answeredAccount } from './testdata/answered-account.ts';

const PROPS = { vpc: 'vpc-1', shared: true, tags: {} };

/** An account with a gateway of each kind in each of the VPCs. */
const account = (...vpcs: readonly string[]) =>
  answeredAccount({ clusterName: 'demo.example.com' }, (command, input) => {
    if (command === 'DescribeInternetGatewaysCommand') {
      const filters = JSON.stringify(Reflect.get(input, 'Filters'));
      const attached = vpcs.filter((vpc) => filters.includes(`"${vpc}"`));
      return {
        InternetGateways: attached.map((VpcId) => ({ InternetGatewayId: 'igw-1', Attachments: [{ VpcId }] })),
      };
    }
    if (command !== 'DescribeEgressOnlyInternetGatewaysCommand') throw new Error(`${command} was not expected`);
    return {
      EgressOnlyInternetGateways: vpcs.map((VpcId) => ({
        EgressOnlyInternetGatewayId: 'eigw-1',
        Attachments: [{ VpcId }],
      })),
    };
  });

test.each([
  ['internet gateway', internetGatewayHandler, 'igw-1'],
  ['egress-only internet gateway', egressOnlyInternetGatewayHandler, 'eigw-1'],
] as const)('the %s of a shared VPC is used, and never created', async (noun, handler, id) => {
  const look = (...vpcs: readonly string[]) =>
    handler.find('demo', PROPS, { aws: account(...vpcs) }, AbortSignal.any([]));
  expect(await look('vpc-1', 'vpc-2')).toMatchObject({ id });
  await expect(look('vpc-2')).rejects.toThrow(`cannot use the ${noun} of the VPC vpc-1: it has none`);
});
