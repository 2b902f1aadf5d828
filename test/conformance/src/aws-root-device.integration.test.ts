import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeLaunchTemplateVersionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ANYBODY, type AwsAccount, openAccount, REGION } from './aws-account.ts';
import { startMoto } from './moto.ts';

const moto = await startMoto();
/** An image that the server has in every region; its images of Canonical are too old for machines of a cluster. */
const SUSE = {
  id: 'ami-35e92e4c',
  name: '013907871322/suse-sles-12-sp3-v20170907-hvm-ssd-x86_64',
  rootDevice: '/dev/sda1',
};

/** The root device of a group's machines has the name that their image gives it. */
describe.skipIf(moto === undefined)('the root device of machines in AWS', () => {
  if (moto === undefined) return;
  let account: AwsAccount;
  let ec2: EC2Client;
  let folder: string;

  beforeAll(async () => {
    account = await openAccount(moto);
    folder = await mkdtemp(join(tmpdir(), 'kopsctl-root-device-'));
    ec2 = new EC2Client({ endpoint: moto.endpoint, region: REGION, credentials: ANYBODY });
  });
  afterAll(async () => {
    await account.close();
    await moto.stop();
    await rm(folder, { recursive: true });
  });

  const create = async (name: string, image: string): Promise<void> => {
    const place = ['--cloud', 'aws', '--zones', 'us-east-1a', '--image', image, '--networking', 'cni'];
    const sizes = ['--node-size', 't3.medium', '--control-plane-size', 't3.medium', '--dns-zone', 'example.com'];
    const created = await account.kopsctl(['create', 'cluster', '--name', name, ...place, ...sizes, '--offline']);
    expect(created).toMatchObject({ exitCode: 0 });
  };
  const write = (name: string, target: string, ...more: readonly string[]) =>
    account.kopsctl(['update', 'cluster', name, '--target', target, '--out', folder, ...more]);
  const terraformDevices = async (): Promise<readonly string[]> =>
    [...(await readFile(join(folder, 'kubernetes.tf'), 'utf8')).matchAll(/^ +device_name += "(.*)"$/gm)].map(
      ([, device = '']) => device,
    );

  test('is that of the image, given by id or by name, when the cluster is applied', async () => {
    for (const [name, image] of [
      ['by-id.example.com', SUSE.id],
      ['by-name.example.com', SUSE.name],
    ] as const) {
      await create(name, image);
      expect(await account.kopsctl(['update', 'cluster', name, '--yes'])).toMatchObject({ exitCode: 0 });
      const LaunchTemplateName = `nodes-us-east-1a.${name}`;
      const versions = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateName, Versions: ['$Latest'] });
      const { LaunchTemplateVersions: [version] = [] } = await ec2.send(versions);
      const devices = version?.LaunchTemplateData?.BlockDeviceMappings ?? [];
      expect(devices.map(({ DeviceName }) => DeviceName)).toEqual([SUSE.rootDevice]);
      expect((await account.kopsctl(['update', 'cluster', name])).stdout).toContain('No changes');
    }
  });

  test('is that of the image in what Terraform and CloudFormation get', async () => {
    for (const [name, image] of [
      ['written-by-id.example.com', SUSE.id],
      ['written-by-name.example.com', SUSE.name],
    ] as const) {
      await create(name, image);
      const terraform = await write(name, 'terraform');
      expect(terraform).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('root device') });
      expect(await terraformDevices()).toEqual([SUSE.rootDevice, SUSE.rootDevice]);
      expect(await write(name, 'cloudformation')).toMatchObject({ exitCode: 0 });
      const template = await readFile(join(folder, 'kubernetes.json'), 'utf8');
      expect([...template.matchAll(/"DeviceName": "(.*)"/g)].map(([, device]) => device)).toEqual([
        SUSE.rootDevice,
        SUSE.rootDevice,
      ]);
    }
  });

  test('is refused to be written for an image that is not there', async () => {
    await create('missing.example.com', 'ami-00000000');
    const refused = await write('missing.example.com', 'terraform');
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toMatch(/spec\.image: .*ami-00000000/);
  });

  test('is refused to be written for machines that the region does not have', async () => {
    await create('no-such-type.example.com', SUSE.id);
    const edit = ['edit', 'ig', 'nodes-us-east-1a', '--name', 'no-such-type.example.com'];
    expect(await account.kopsctl([...edit, '--set', 'spec.machineType=t3.gigantic'])).toMatchObject({ exitCode: 0 });
    const refused = await write('no-such-type.example.com', 'terraform');
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toMatch(/nodes-us-east-1a.*spec\.machineType: .*t3\.gigantic/);
    expect(await write('no-such-type.example.com', 'terraform', '--offline')).toMatchObject({ exitCode: 0 });
  });

  test('is assumed, and named once, where EC2 is not asked', async () => {
    await create('offline.example.com', 'ami-00000000');
    const { exitCode, stderr } = await write('offline.example.com', 'terraform', '--offline');
    expect(exitCode).toBe(0);
    expect(await terraformDevices()).toEqual(['/dev/xvda', '/dev/xvda']);
    expect(stderr.match(/.*root device.*/g)).toEqual([
      expect.stringContaining('/dev/xvda is assumed to be the root device of the image ami-00000000'),
    ]);
  });
});
