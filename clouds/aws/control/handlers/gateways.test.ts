import { expect, test } from 'vitest';
import { egressOnlyInternetGatewayHandler, internetGatewayHandler, natGatewayHandler } from './gateways.ts';
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

test('a NAT gateway that fails after it was made is made again, and the plan says why', async () => {
  const failed = {
    NatGatewayId: 'nat-1',
    State: 'failed',
    FailureCode: 'Gateway.NotAttached',
    FailureMessage: 'no gateway',
  };
  const aws = answeredAccount({ clusterName: 'demo.example.com' }, () => ({ NatGateways: [failed] }));
  aws.made.remember('aws/NatGateway/nat', 'nat-1');
  const props = { subnet: 'subnet-1', elasticIp: 'eipalloc-1', after: [], tags: {} };
  const look = () => natGatewayHandler.find('nat', props, { aws }, AbortSignal.any([]));
  await expect(look()).rejects.toThrow('nat-1 was created and failed: Gateway.NotAttached: no gateway');
  expect(await look()).toBeUndefined();
});
