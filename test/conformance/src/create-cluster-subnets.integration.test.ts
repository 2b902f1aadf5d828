import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type AwsAccount, openAccount } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();

describe.skipIf(moto === undefined)('create cluster in existing subnets of AWS', () => {
  let account: AwsAccount;
  let made: { readonly vpc: string; readonly subnet: string };

  beforeAll(async () => {
    if (moto === undefined) return;
    account = await openAccount(moto);
    made = await account.makeVpc();
  });
  afterAll(async () => {
    await account?.close();
    await moto?.stop();
  });

  const create = (...flags: readonly string[]) =>
    account.kopsctl(['create', 'cluster', 'demo.example.com', '--cloud=aws', '--dry-run', '-o', 'yaml', ...flags]);

  test('asks for their VPC and ranges', async () => {
    const { exitCode, stdout, stderr } = await create('--zones=us-east-1a', `--subnets=${made.subnet}`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Error') });
    const [cluster] = parseAllDocuments(stdout);
    expect(cluster?.toJS()).toMatchObject({
      spec: {
        networkID: made.vpc,
        networkCIDR: '10.9.0.0/16',
        subnets: [{ id: made.subnet, zone: 'us-east-1a', cidr: '10.9.1.0/24' }],
      },
    });
  });

  test('asks for the range of a VPC that --set names', async () => {
    const { stdout } = await create('--zones=us-east-1a', '--set', `spec.networking.networkID=${made.vpc}`);
    expect(parseAllDocuments(stdout)[0]?.toJS()).toMatchObject({
      spec: { networkID: made.vpc, networkCIDR: '10.9.0.0/16', subnets: [{ cidr: '10.9.0.0/16' }] },
    });
  });

  test('names a subnet that is not there, one of another VPC, and one of another zone', async () => {
    const other = await account.makeVpc();
    const refusals = [
      [
        ['--zones=us-east-1a', `--subnets=${made.subnet}`, '--utility-subnets=subnet-00f'],
        'no subnet subnet-00f in us-east-1',
      ],
      [
        ['--zones=us-east-1a', `--subnets=${made.subnet}`, `--network-id=${other.vpc}`],
        `${made.subnet} is in the VPC ${made.vpc}`,
      ],
      [['--zones=us-east-1b', `--subnets=${made.subnet}`], `${made.subnet} is in the zone us-east-1a`],
      [['--zones=us-east-1a', '--network-id=vpc-00f'], 'no VPC vpc-00f'],
    ] as const;
    for (const [flags, why] of refusals) {
      const { exitCode, stderr } = await create(...flags);
      expect(exitCode).not.toBe(0);
      expect(stderr).toContain(why);
    }
  });
});
