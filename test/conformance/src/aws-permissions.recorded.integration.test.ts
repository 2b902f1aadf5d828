import { DeleteVpcCommand, DescribeInstancesCommand, DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { AttachUserPolicyCommand, CreateAccessKeyCommand, CreateUserCommand, IAMClient } from '@aws-sdk/client-iam';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AwsAccount, type Keys, openAccount } from './aws-account.ts';
import { startMoto } from './moto.ts';

const CLUSTER = 'minimal-aws.example.com';
const BUCKET = 'kops-state';

const moto = await startMoto();

/** The server checks signatures and policies, but not the conditions of policies. */
describe.skipIf(moto === undefined)('permissions in AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;
  let admin: Keys;
  const settings = { endpoint: moto.endpoint, region: 'us-east-1', forcePathStyle: true };

  const machine = async (role: string) => {
    // The roles trust only EC2, so authorization is off while the test assumes them.
    await moto.checkAuthorization(false);
    const { Credentials } = await new STSClient({ ...settings, credentials: admin }).send(
      new AssumeRoleCommand({
        RoleArn: `arn:aws:iam::123456789012:role/${role}.${CLUSTER}`,
        RoleSessionName: 'machine',
      }),
    );
    await moto.checkAuthorization(true);
    const credentials = {
      accessKeyId: Credentials?.AccessKeyId ?? '',
      secretAccessKey: Credentials?.SecretAccessKey ?? '',
      sessionToken: Credentials?.SessionToken ?? '',
    };
    return { ec2: new EC2Client({ ...settings, credentials }), s3: new S3Client({ ...settings, credentials }) };
  };
  const stored = async (part: string): Promise<string> => {
    const s3 = new S3Client({ ...settings, credentials: admin });
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: `${CLUSTER}/${part}` }));
    return Contents[0]?.Key ?? '';
  };

  beforeAll(async () => {
    account = await openAccount(moto);
    const iam = new IAMClient({ ...settings, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } });
    await iam.send(new CreateUserCommand({ UserName: 'admin' }));
    const PolicyArn = 'arn:aws:iam::aws:policy/AdministratorAccess';
    await iam.send(new AttachUserPolicyCommand({ UserName: 'admin', PolicyArn }));
    const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName: 'admin' }));
    admin = { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' };
    await account.kopsctl(['create', '-f', account.spec('minimal-aws')]);
    await account.makeUpHashes(CLUSTER);
    await moto.checkAuthorization(true);
  }, 60_000);
  afterAll(async () => {
    await account?.close();
    await moto.stop();
  });

  test('a wrong secret is reported at once', { timeout: 180_000 }, async () => {
    const wrong = { ...admin, secretAccessKey: 'wrong' };
    const { exitCode, stderr, stdout } = await account.kopsctl(['update', 'cluster', CLUSTER], undefined, wrong);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toMatch(/signature|credentials/i);
  });

  test('a cluster is applied with signed requests', { timeout: 180_000 }, async () => {
    const argv = ['update', 'cluster', CLUSTER, '--yes'];
    expect(await account.kopsctl(argv, undefined, admin)).toMatchObject({ exitCode: 0 });
  });

  test('a control-plane machine is allowed what it needs, and nothing else', { timeout: 180_000 }, async () => {
    const { ec2, s3 } = await machine('masters');
    await ec2.send(new DescribeInstancesCommand({}));
    await ec2.send(new DescribeVolumesCommand({}));
    for (const part of ['node-plans/', 'pki/private/', 'pki/issued/', 'secrets/']) {
      await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: await stored(part) }));
    }
    const backup = { Bucket: BUCKET, Key: `${CLUSTER}/backups/etcd/main/x/etcd.backup.gz`, Body: 'x' };
    await s3.send(new PutObjectCommand(backup));
    const elsewhere = { Bucket: BUCKET, Key: 'other.example.com/config', Body: 'x' };
    await expect(s3.send(new PutObjectCommand(elsewhere))).rejects.toThrow(/denied/i);
    await expect(ec2.send(new DeleteVpcCommand({ VpcId: 'vpc-1' }))).rejects.toThrow(/not authorized|denied/i);
  });

  test('a worker can get its plan and nothing else, and neither lists nor writes', { timeout: 180_000 }, async () => {
    const { ec2, s3 } = await machine('nodes');
    const plan = { Bucket: BUCKET, Key: await stored('worker-plans/') };
    await s3.send(new GetObjectCommand(plan));
    for (const part of ['node-plans/', 'pki/issued/', 'pki/private/', 'secrets/', 'backups/', 'config']) {
      const Key = (await stored(part)) || `${CLUSTER}/${part}`;
      await expect(s3.send(new GetObjectCommand({ Bucket: BUCKET, Key }))).rejects.toThrow(/denied/i);
    }
    await expect(s3.send(new ListObjectsV2Command({ Bucket: BUCKET }))).rejects.toThrow(/denied/i);
    for (const Key of [plan.Key, `${CLUSTER}/nodes/i-1/boot-report.json`]) {
      await expect(s3.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: 'x' }))).rejects.toThrow(/denied/i);
    }
    await expect(ec2.send(new DescribeVolumesCommand({}))).rejects.toThrow(/not authorized|denied/i);
  });
});
