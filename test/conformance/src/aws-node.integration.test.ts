import {
  CreateTagsCommand,
  CreateVolumeCommand,
  DescribeSubnetsCommand,
  EC2Client,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { CreateRoleCommand, IAMClient, PutRolePolicyCommand } from '@aws-sdk/client-iam';
import { CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { createAwsNodeCloud } from '@kopsctl/clouds/aws/node/aws-node-cloud.ts';
import { consoleOutput } from '@kopsctl/clouds/aws/control/running/console-output.ts';
import type { NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { openNodeDns } from '@kopsctl/clouds/node.ts';
import { ownerOfCluster } from '@kopsctl/dns/owner-mark.ts';
import { reconcileDns } from '@kopsctl/dns/reconcile-dns.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFaultProxy } from './aws-faults.ts';
import { type Metadata, serveEc2, serveMetadata } from './aws-machine.ts';
import { startMoto } from './moto.ts';
import { credentials } from './s3-server.ts';

const CLUSTER = 'demo.example.com';
const ZONE = 'us-east-1a';
const TIMEOUT_MS = 180_000;

const moto = await startMoto();

const tags = (cluster: string, more: Readonly<Record<string, string>>) =>
  Object.entries({ KubernetesCluster: cluster, [`kubernetes.io/cluster/${cluster}`]: 'owned', ...more }).map(
    ([Key, Value]) => ({ Key, Value }),
  );

describe.skipIf(moto === undefined)('a machine in AWS', () => {
  if (moto === undefined) return;
  const signal = AbortSignal.timeout(5 * TIMEOUT_MS);
  const ec2 = new EC2Client({ endpoint: moto.endpoint, region: 'us-east-1', credentials });
  const stops: (() => Promise<void>)[] = [];
  let front: Awaited<ReturnType<typeof serveEc2>>;

  const run = async (cluster: string, role: string): Promise<Metadata> => {
    const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
    const subnet = Subnets.find(({ AvailabilityZone }) => AvailabilityZone === ZONE);
    const { Instances = [] } = await ec2.send(
      new RunInstancesCommand({
        ImageId: 'ami-785db401',
        MinCount: 1,
        MaxCount: 1,
        SubnetId: subnet?.SubnetId,
        TagSpecifications: [
          {
            ResourceType: 'instance',
            Tags: tags(cluster, { [`k8s.io/role/${role}`]: '1', 'kops.k8s.io/instancegroup': `${role}-${ZONE}` }),
          },
        ],
      }),
    );
    const [instance] = Instances;
    return {
      'instance-id': instance?.InstanceId ?? '',
      'local-ipv4': instance?.PrivateIpAddress ?? '',
      'local-hostname': instance?.PrivateDnsName ?? '',
      'placement/availability-zone': ZONE,
      'placement/region': 'us-east-1',
      'iam/security-credentials/': 'masters.demo',
      'iam/security-credentials/masters.demo': JSON.stringify({
        Code: 'Success',
        AccessKeyId: 'test',
        SecretAccessKey: 'test',
        Token: 'token',
        Expiration: new Date(Date.now() + 6 * 60 * 60 * 1000).toISOString(),
      }),
    };
  };
  const makeVolume = async (cluster: string, more: Readonly<Record<string, string>>): Promise<string> => {
    const { VolumeId = '' } = await ec2.send(
      new CreateVolumeCommand({
        AvailabilityZone: ZONE,
        Size: 20,
        TagSpecifications: [{ ResourceType: 'volume', Tags: tags(cluster, more) }],
      }),
    );
    return VolumeId;
  };
  const cloudOf = async (
    metadata: Metadata,
    endpoint: string = front.url,
  ): Promise<NodeCloud & { forget(): void; readonly asked: string[] }> => {
    const server = await serveMetadata(metadata);
    stops.push(() => server.stop());
    const env = { AWS_EC2_METADATA_SERVICE_ENDPOINT: server.url, AWS_ENDPOINT_URL: endpoint };
    const cloud = createAwsNodeCloud({ cluster: CLUSTER, naming: 'instance-id', env, isXen: false });
    return { ...cloud, forget: () => server.forget(), asked: server.asked };
  };

  beforeAll(async () => {
    front = await serveEc2(moto.endpoint);
    stops.push(() => front.stop());
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
    await moto.stop();
  });

  test('reads the metadata service of a third-party server', { timeout: TIMEOUT_MS }, async () => {
    const env = { AWS_EC2_METADATA_SERVICE_ENDPOINT: moto.endpoint };
    expect(await createAwsNodeCloud({ cluster: CLUSTER, naming: 'instance-id', env }).facts(signal)).toEqual({
      instanceId: 'i-fake',
      nodeName: 'i-fake',
      address: '127.0.0.1',
      zone: ZONE,
    });
    const older = createAwsNodeCloud({ cluster: CLUSTER, naming: 'private-dns', env });
    expect((await older.facts(signal)).nodeName).toBe('moto-instance.ec2.internal');
  });

  test('uses one token for all facts, and requests another after it expires', { timeout: TIMEOUT_MS }, async () => {
    const metadata = await run(CLUSTER, 'master');
    const cloud = await cloudOf(metadata);
    const facts = {
      instanceId: metadata['instance-id'],
      nodeName: metadata['instance-id'],
      address: metadata['local-ipv4'],
      zone: ZONE,
    };
    const tokens = () => cloud.asked.filter((line) => line.startsWith('PUT')).length;
    expect(await cloud.facts(signal)).toEqual(facts);
    // The service rejects the first request because it is busy.
    expect(tokens()).toBe(2);
    cloud.forget();
    expect(await cloud.facts(signal)).toEqual(facts);
    expect(tokens()).toBe(3);
  });

  test('lists the machines of its cluster, with roles and groups', { timeout: TIMEOUT_MS }, async () => {
    const [own, worker, foreign] = [
      await run(CLUSTER, 'control-plane'),
      await run(CLUSTER, 'node'),
      await run('other.example.com', 'master'),
    ];
    const cloud = await cloudOf(own);
    const { items, revision } = await cloud.machines(undefined, signal);
    expect(items).toContainEqual({
      instanceId: worker['instance-id'],
      nodeName: worker['instance-id'],
      address: worker['local-ipv4'],
      externalAddresses: [expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/)],
      role: 'Node',
      instanceGroup: `node-${ZONE}`,
      running: true,
      launchedMs: expect.closeTo(Date.now(), -6),
      startedMs: expect.closeTo(Date.now(), -6),
    });
    expect(items.find(({ instanceId }) => instanceId === own['instance-id'])?.role).toBe('ControlPlane');
    expect(items.map(({ instanceId }) => instanceId)).not.toContain(foreign['instance-id']);
    // The revision is derived from the content, so another process can wait with it until something changes.
    const other = await cloudOf(own);
    const next = other.machines(revision, signal);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [worker['instance-id'] ?? ''] }));
    expect((await next).items.map(({ instanceId }) => instanceId)).not.toContain(worker['instance-id']);
  });

  test('its console can be read by a person', { timeout: TIMEOUT_MS }, async () => {
    const { 'instance-id': instanceId = '' } = await run(CLUSTER, 'node');
    expect(await consoleOutput({ ec2 }, instanceId, signal)).toMatch(/Linux version/);
    await expect(consoleOutput({ ec2 }, 'i-00000000000000000', signal)).rejects.toThrow('does not exist');
  });

  test("lists only etcd's volumes of its cluster", { timeout: TIMEOUT_MS }, async () => {
    const own = await makeVolume(CLUSTER, { 'k8s.io/etcd/main': 'a/a,b,c', Name: 'a.etcd-main' });
    const others = [
      await makeVolume(CLUSTER, { Name: 'a pod' }),
      await makeVolume('other.example.com', { 'k8s.io/etcd/main': 'a/a' }),
      await makeVolume(`x.${CLUSTER}`, { 'k8s.io/etcd/main': 'a/a' }),
    ];
    const cloud = await cloudOf(await run(CLUSTER, 'master'));
    const { items } = await cloud.volumes(undefined, signal);
    const found = items.find(({ id }) => id === own);
    expect(found).toMatchObject({ name: 'a.etcd-main', sizeGiB: 20, zone: ZONE });
    expect(found?.tags['k8s.io/etcd/main']).toBe('a/a,b,c');
    expect(found?.attachedTo).toBeUndefined();
    for (const other of others) {
      expect(items.map(({ id }) => id)).not.toContain(other);
      await expect(cloud.attachVolume(other, signal)).rejects.toThrow(/not an etcd volume of demo\.example\.com/);
    }
  });

  test('attaches a volume for exactly one of two competing machines', { timeout: TIMEOUT_MS }, async () => {
    const machines = [await run(CLUSTER, 'master'), await run(CLUSTER, 'master')];
    const clouds = await Promise.all(machines.map((machine) => cloudOf(machine)));
    for (let round = 0; round < 5; round += 1) {
      const volume = await makeVolume(CLUSTER, { 'k8s.io/etcd/events': 'a/a' });
      const results = await Promise.allSettled(clouds.map((cloud) => cloud.attachVolume(volume, signal)));
      const winners = results.flatMap((result, index) => (result.status === 'fulfilled' ? [index] : []));
      expect(winners).toHaveLength(1);
      const winner = machines[winners[0] ?? -1];
      const loser = results.find((result) => result.status === 'rejected');
      expect(String(loser?.reason)).toContain(`${winner?.['instance-id']} holds it`);
      const seen = await Promise.all(clouds.map((cloud) => cloud.volumes(undefined, signal)));
      const holders = seen.map(({ items }) => items.find(({ id }) => id === volume)?.attachedTo);
      const holder = { instanceId: winner?.['instance-id'], address: winner?.['local-ipv4'] };
      expect(holders).toEqual([expect.objectContaining(holder), expect.objectContaining(holder)]);
      const here = `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volume.replace('-', '')}`;
      expect(holders[winners[0] ?? -1]?.device).toBe(here);
    }
  });

  test('attaches a volume twice without a change, even if the answer was lost', { timeout: TIMEOUT_MS }, async () => {
    const cloud = await cloudOf(await run(CLUSTER, 'master'));
    const volume = await makeVolume(CLUSTER, { 'k8s.io/etcd/main': 'b/a,b,c' });
    front.loseNextAnswer();
    const first = await cloud.attachVolume(volume, signal);
    expect(await cloud.attachVolume(volume, signal)).toEqual(first);
    const second = await makeVolume(CLUSTER, { 'k8s.io/etcd/events': 'b/a,b,c' });
    expect(await cloud.attachVolume(second, signal)).not.toEqual(first);

    await cloud.detachVolume(volume, signal);
    // A second detach, and one by a machine that does not hold the volume, change nothing.
    await cloud.detachVolume(volume, signal);
    await (await cloudOf(await run(CLUSTER, 'master'))).detachVolume(second, signal);
    const { items } = await cloud.volumes(undefined, signal);
    const isHeld = (id: string) => items.find((one) => one.id === id)?.attachedTo !== undefined;
    expect([isHeld(volume), isHeld(second)]).toEqual([false, true]);
  });

  test('maintains names in Route53 with the permissions of the machine', { timeout: TIMEOUT_MS }, async () => {
    const route53 = new Route53Client({ endpoint: moto.endpoint, region: 'us-east-1', credentials });
    await route53.send(new CreateHostedZoneCommand({ Name: 'example.com', CallerReference: 'names' }));
    const server = await serveMetadata(await run(CLUSTER, 'master'));
    stops.push(() => server.stop());
    // The search for the machine's credentials reads the environment of the process.
    vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', server.url);
    vi.stubEnv('AWS_ENDPOINT_URL', moto.endpoint);
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) vi.stubEnv(name, undefined);
    try {
      const readSecret = () => Promise.reject(new Error('no secret is needed'));
      const zone = await openNodeDns(
        'aws',
        {
          kubeconfig: '/var/lib/kops/kubeconfig',
          zone: 'example.com',
          provider: { name: 'Route53', isPrivate: false },
          isIpv6Only: false,
        },
        { env: process.env, readSecret, signal },
      );
      const wanted = [{ name: `api.${CLUSTER}`, type: 'A' as const, ttlSeconds: 60, values: ['10.0.0.1'] }];
      const wishes = { clusterName: CLUSTER, owner: ownerOfCluster(CLUSTER), wanted };
      expect((await reconcileDns(zone, wishes, signal)).done).toEqual([`create A api.${CLUSTER} = 10.0.0.1`]);
      expect((await reconcileDns(zone, wishes, signal)).done).toEqual([]);
      expect(server.asked).toContain('GET /latest/meta-data/iam/security-credentials/masters.demo');
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test(
    'signs requests as AWS requires and reports missing permissions of its role',
    { timeout: TIMEOUT_MS },
    async () => {
      const iam = new IAMClient({ endpoint: moto.endpoint, region: 'us-east-1', credentials });
      const metadata = await run(CLUSTER, 'master');
      const sts = new STSClient({ endpoint: moto.endpoint, region: 'us-east-1', credentials });
      const as = async (RoleName: string, Action: readonly string[], spoil = '') => {
        await iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: '{}' }));
        const Statement = [{ Effect: 'Allow', Action, Resource: '*' }];
        const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
        await iam.send(new PutRolePolicyCommand({ RoleName, PolicyName: 'machine', PolicyDocument }));
        const RoleArn = `arn:aws:iam::123456789012:role/${RoleName}`;
        const { Credentials } = await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'i-1' }));
        const { 'iam/security-credentials/masters.demo': text = '', ...others } = metadata;
        const role = {
          ...JSON.parse(text),
          AccessKeyId: Credentials?.AccessKeyId,
          SecretAccessKey: `${Credentials?.SecretAccessKey}${spoil}`,
          Token: Credentials?.SessionToken,
        };
        return cloudOf({ ...others, 'iam/security-credentials/masters.demo': JSON.stringify(role) });
      };
      const describe = ['ec2:DescribeInstances', 'ec2:DescribeVolumes'];
      const controlPlane = await as('control-plane', [...describe, 'ec2:AttachVolume']);
      const wrong = await as('wrong', describe, 'x');
      const worker = await as('worker', ['s3:GetObject']);
      const volume = await makeVolume(CLUSTER, { 'k8s.io/etcd/main': 'd/d' });
      await moto.checkAuthorization(true);
      try {
        expect((await controlPlane.machines(undefined, signal)).items).not.toEqual([]);
        await controlPlane.attachVolume(volume, signal);
        await expect(wrong.machines(undefined, signal)).rejects.toThrow(/signature|credentials/i);
        await expect(worker.volumes(undefined, signal)).rejects.toMatchObject({
          why: expect.stringContaining('the role of this machine does not allow it'),
          next: expect.stringContaining('only control-plane machines may'),
        });
      } finally {
        await moto.checkAuthorization(false);
      }
    },
  );

  test('retries despite throttling, errors, lost answers and lagging lists', { timeout: 3 * TIMEOUT_MS }, async () => {
    const faults = await startFaultProxy(front.url, 7);
    stops.push(() => faults.stop());
    const own = await run(CLUSTER, 'master');
    const cloud = await cloudOf(own, faults.endpoint);
    const made = new Set<string>();
    for (const member of ['e', 'f', 'g', 'h']) {
      made.add(await makeVolume(CLUSTER, { 'k8s.io/etcd/main': `${member}/e,f,g,h` }));
    }
    const until = async (wanted: (held: number, shown: number) => boolean): Promise<void> => {
      for (let after: string | undefined; ;) {
        const { items, revision } = await cloud.volumes(after, signal);
        const shown = items.filter(({ id }) => made.has(id));
        const held = shown.filter(({ attachedTo }) => attachedTo?.instanceId === own['instance-id']);
        if (wanted(held.length, shown.length)) return;
        after = revision;
      }
    };
    await until((_, shown) => shown === made.size);
    const devices = [];
    for (const id of made) devices.push((await cloud.attachVolume(id, signal)).device);
    expect(new Set(devices).size).toBe(made.size);
    await until((held) => held === made.size);
    const met = Object.entries(faults.faults).filter(([, times]) => times > 0);
    expect(met.length).toBeGreaterThanOrEqual(2);
  });

  test('no longer lists a volume that has lost its tags', { timeout: TIMEOUT_MS }, async () => {
    const cloud = await cloudOf(await run(CLUSTER, 'master'));
    const volume = await makeVolume(CLUSTER, { 'k8s.io/etcd/main': 'c/a,b,c' });
    const { items, revision } = await cloud.volumes(undefined, signal);
    expect(items.map(({ id }) => id)).toContain(volume);
    const next = cloud.volumes(revision, signal);
    await ec2.send(
      new CreateTagsCommand({ Resources: [volume], Tags: [{ Key: 'KubernetesCluster', Value: 'other.example.com' }] }),
    );
    expect((await next).items.map(({ id }) => id)).not.toContain(volume);
  });
});
