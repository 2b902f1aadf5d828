import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CreateHostedZoneCommand, Route53Client } from '@aws-sdk/client-route-53';
import { CreateVpcCommand, EC2Client } from '@aws-sdk/client-ec2';
import { ownerOfCluster } from '@kopsctl/dns/owner-mark.ts';
import { planRecords } from '@kopsctl/dns/plan-records.ts';
import { route53Zones } from '@kopsctl/dns/route53/route53-zones.ts';
import type { DnsProvider, NameChange, RecordSet, RecordType } from '@kopsctl/dns/zone.ts';
import { startMoto } from './moto.ts';
import { credentials } from './s3-server.ts';

const moto = await startMoto();
const options = { endpoint: moto?.endpoint ?? '', region: 'us-east-1', credentials };
const client = new Route53Client(options);
const ec2 = new EC2Client(options);

const set = (name: string, type: RecordType, ...values: string[]): RecordSet => ({
  name,
  type,
  ttlSeconds: 60,
  values,
});

describe.skipIf(moto === undefined)('Route53', () => {
  let vpcId = '';
  let publicId = '';
  let privateId = '';

  const makeZone = async (name: string, VPC?: { VPCId: string; VPCRegion: 'us-east-1' }) => {
    const more = VPC === undefined ? {} : { VPC, HostedZoneConfig: { PrivateZone: true, Comment: '' } };
    const { HostedZone } = await client.send(
      new CreateHostedZoneCommand({ Name: name, CallerReference: `${name}-${VPC?.VPCId}`, ...more }),
    );
    return (HostedZone?.Id ?? '').replace('/hostedzone/', '');
  };

  beforeAll(async () => {
    const { Vpc } = await ec2.send(new CreateVpcCommand({ CidrBlock: '10.0.0.0/16' }));
    vpcId = Vpc?.VpcId ?? '';
    publicId = await makeZone('example.com');
    privateId = await makeZone('example.com', { VPCId: vpcId, VPCRegion: 'us-east-1' });
  });

  afterAll(async () => {
    client.destroy();
    ec2.destroy();
    await moto?.stop();
  });

  test('a public and a private zone with the same name are distinguished', async () => {
    const zones = ['example.com'];
    expect(await route53Zones({ client, zones, isPrivate: false }).zones()).toEqual([
      { id: publicId, name: 'example.com' },
    ]);
    expect(await route53Zones({ client, zones, isPrivate: true }).zones()).toEqual([
      { id: privateId, name: 'example.com' },
    ]);
    const byId = route53Zones({ client, zones: [privateId], isPrivate: false });
    expect(await byId.zones()).toEqual([{ id: privateId, name: 'example.com' }]);
  });

  test('the error about a missing zone lists the existing ones', async () => {
    const absent = route53Zones({ client, zones: ['example.org'], isPrivate: false }).zones();
    await expect(absent).rejects.toThrow(`example.com (${publicId})`);
  });

  test('the plan is empty after it was applied, and foreign sets are unchanged', async () => {
    const provider = route53Zones({ client, zones: [publicId], isPrivate: false });
    const foreign = set('www.example.com', 'A', '192.0.2.80');
    const [zone] = await provider.zones();
    if (zone === undefined) throw new Error('the zone does not exist');
    await provider.change(zone, [{ name: foreign.name, summary: '', sets: [{ after: foreign }] }]);
    const first = [
      set('api.demo.example.com', 'A', '10.0.0.1', '10.0.0.2'),
      set('api.demo.example.com', 'AAAA', 'fd00::1'),
      set('lb.example.com', 'CNAME', 'x.example.net'),
      set('*.apps.example.com', 'A', '10.0.0.9'),
    ];
    const second = [set('api.demo.example.com', 'A', '10.0.0.3'), set('lb.example.com', 'A', '10.0.0.7')];
    for (const wanted of [first, second, []]) {
      await carryOut(provider, wanted);
      expect(await plan(provider, wanted)).toEqual({ zones: [], blocked: [] });
    }
    const left = (await provider.list(zone)).filter(({ type }) => type !== 'NS' && type !== 'SOA');
    expect(left).toEqual([foreign]);
  });

  test('more changes than fit into one batch are applied, and listed from many pages', async () => {
    const provider = route53Zones({ client, zones: [await makeZone('many.example.com')], isPrivate: false });
    const wanted = Array.from({ length: 700 }, (_, index) => set(`n${index}.many.example.com`, 'A', '10.0.0.1'));
    await carryOut(provider, wanted);
    expect(await plan(provider, wanted)).toEqual({ zones: [], blocked: [] });
  });

  const plan = async (provider: DnsProvider, wanted: readonly RecordSet[]) => {
    const zones = await provider.zones();
    const contents = await Promise.all(zones.map(async (zone) => ({ zone, sets: await provider.list(zone) })));
    return planRecords(contents, {
      clusterName: 'demo.example.com',
      owner: ownerOfCluster('demo.example.com'),
      wanted,
    });
  };

  const carryOut = async (provider: DnsProvider, wanted: readonly RecordSet[]) => {
    const { zones } = await plan(provider, wanted);
    for (const { zone, changes } of zones) await provider.change(zone, changes satisfies readonly NameChange[]);
  };
});
