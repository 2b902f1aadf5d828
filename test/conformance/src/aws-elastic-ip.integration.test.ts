import {
  AllocateAddressCommand,
  DescribeAddressesCommand,
  DescribeNatGatewaysCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANYBODY, type AwsAccount, IMAGE, openAccount, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();
const CLUSTER = 'demo.example.com';

describe.skipIf(moto === undefined)('publicIP of a subnet in AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;
  let ec2: EC2Client;

  beforeAll(async () => {
    account = await openAccount(moto);
    ec2 = new EC2Client({ endpoint: moto.endpoint, region: REGION, credentials: ANYBODY });
  });
  afterAll(async () => {
    await account.close();
    await moto.stop();
  });

  test('is the address of its NAT gateway, and outlives the cluster', async () => {
    const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', IMAGE, '--networking', 'cni'];
    const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium', '--dns', 'none'];
    const name = ['--name', CLUSTER, '--topology', 'private', '--offline'];
    expect(await account.kopsctl(['create', 'cluster', ...name, ...place, ...sizes])).toMatchObject({ exitCode: 0 });
    const use = (address: string) =>
      account.kopsctl(['edit', 'cluster', CLUSTER, '--set', `spec.subnets[0].publicIP=${address}`]);

    expect(await use('203.0.113.7')).toMatchObject({ exitCode: 0 });
    const refused = await account.kopsctl(['update', 'cluster', CLUSTER]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('has no elastic IP 203.0.113.7') });

    const { PublicIp = '', AllocationId = '' } = await ec2.send(new AllocateAddressCommand({ Domain: 'vpc' }));
    expect(await use(PublicIp)).toMatchObject({ exitCode: 0 });
    expect(await account.kopsctl(['update', 'cluster', CLUSTER, '--yes'])).toMatchObject({ exitCode: 0 });
    const { NatGateways = [] } = await ec2.send(new DescribeNatGatewaysCommand({}));
    const used = NatGateways.map(({ NatGatewayAddresses: [address] = [] }) => address?.AllocationId);
    expect(used).toEqual([AllocationId]);
    expect((await account.kopsctl(['update', 'cluster', CLUSTER])).stdout).toContain('No changes');

    expect(await account.kopsctl(['delete', 'cluster', CLUSTER, '--yes'])).toMatchObject({ exitCode: 0 });
    const { Addresses = [] } = await ec2.send(new DescribeAddressesCommand({}));
    expect(Addresses.map(({ PublicIp: left }) => left)).toEqual([PublicIp]);
  });
});
