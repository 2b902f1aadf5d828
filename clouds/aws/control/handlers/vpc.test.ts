import { NotYet } from '@kopsctl/tasks/failure.ts';
import { expect, test } from 'vitest';
import { answeredAccount } from './testdata/answered-account.ts';
import { vpcHandler } from './vpc.ts';

const PROPS = {
  cidr: '172.20.0.0/16',
  amazonIpv6: true,
  enableDnsHostnames: true,
  enableDnsSupport: true,
  tags: { Name: 'demo.example.com', KubernetesCluster: 'demo.example.com' },
};

/** An account with the VPC, whose IPv6 range is in this state. */
const account = (State: string) =>
  answeredAccount({ clusterName: 'demo.example.com' }, (command) => {
    if (command === 'DescribeVpcAttributeCommand') {
      return { EnableDnsHostnames: { Value: true }, EnableDnsSupport: { Value: true } };
    }
    if (command !== 'DescribeVpcsCommand') throw new Error(`${command} was not expected`);
    return {
      Vpcs: [
        {
          VpcId: 'vpc-1',
          CidrBlock: PROPS.cidr,
          Ipv6CidrBlockAssociationSet: [{ Ipv6CidrBlock: '2001:db8::/56', Ipv6CidrBlockState: { State } }],
          Tags: Object.entries(PROPS.tags).map(([Key, Value]) => ({ Key, Value })),
        },
      ],
    };
  });

const signal = AbortSignal.any([]);

test('a VPC is ready when its IPv6 range is, of which subnets get their parts', async () => {
  const env = { aws: account('associated') };
  const found = await vpcHandler.find('demo', PROPS, env, signal);
  if (found === undefined) throw new Error('the VPC is not found');
  expect(vpcHandler.plan('demo', PROPS, found)).toEqual([]);
  expect(vpcHandler.outputs?.('demo', PROPS, found)).toEqual({ id: 'vpc-1', ipv6Cidr: '2001:db8::/56' });
});

test('a VPC whose IPv6 range is being associated is waited for', async () => {
  const env = { aws: account('associating') };
  const found = await vpcHandler.find('demo', PROPS, env, signal);
  const [step, ...others] = vpcHandler.plan('demo', PROPS, found);
  if (step === undefined) throw new Error('nothing is planned');
  expect(others).toEqual([]);
  await expect(vpcHandler.apply(step, 'demo', PROPS, env, signal)).rejects.toThrow(NotYet);
});

test('a VPC without an IPv6 range is refused: it gets one when it is created', async () => {
  const found = await vpcHandler.find('demo', PROPS, { aws: account('disassociated') }, signal);
  expect(() => vpcHandler.plan('demo', PROPS, found)).toThrow(
    'AWS cannot change amazonIpv6 from false to true after creation',
  );
});
