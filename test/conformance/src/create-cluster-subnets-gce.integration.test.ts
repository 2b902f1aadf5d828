import { deepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type GoogleAccount, openGoogleAccount } from './google-account.ts';

const API = 'https://www.googleapis.com/compute/v1/';
const NETWORK = 'projects/testproject/global/networks/corp';
const SUBNET = 'projects/testproject/regions/us-test1/subnetworks/apps';

describe('create cluster in an existing subnet of GCE', () => {
  let account: GoogleAccount;

  const addNetwork = (path: string): void => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const network = { kind: 'compute#network', name, selfLink: API + path, autoCreateSubnetworks: false };
    account.google.compute.resources.set(path, network);
  };
  const addSubnet = (path: string, network: string, more: object): void => {
    const [, , , region = '', , name] = path.split('/');
    account.google.compute.resources.set(path, {
      kind: 'compute#subnetwork',
      name,
      selfLink: API + path,
      region: API + path.slice(0, path.indexOf('/subnetworks/')),
      network: API + network,
      fingerprint: `of-${region}-${name}`,
      ...more,
    });
  };

  beforeEach(async () => {
    account = await openGoogleAccount();
    addNetwork(NETWORK);
    addSubnet(SUBNET, NETWORK, {
      ipCidrRange: '10.0.32.0/19',
      secondaryIpRanges: [{ rangeName: 'others', ipCidrRange: '10.4.0.0/14' }],
    });
    addSubnet('projects/testproject/regions/us-west1/subnetworks/west', NETWORK, { ipCidrRange: '10.1.0.0/16' });
  });
  afterEach(async () => {
    await account.close();
    deepEqual(account.google.violations, []);
  });

  const create = (...flags: readonly string[]) =>
    account.kopsctl(['create', 'cluster', 'demo.example.com', '--cloud=gce', '--project=testproject', ...flags]);
  const specOf = async (...flags: readonly string[]): Promise<object> => {
    const { exitCode, stdout, stderr } = await create('--dry-run', '-o', 'yaml', ...flags);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return parseAllDocuments(stdout)[0]?.toJS().spec;
  };

  test('asks for its network and ranges, and takes free ones for what is to be made there', async () => {
    expect(await specOf('--zones=us-test1-a,us-test1-b', '--subnets=apps')).toMatchObject({
      networkID: 'corp',
      subnets: [{ id: 'apps', name: 'us-test1', region: 'us-test1', cidr: '10.0.32.0/19' }],
    });
    // Neither what the subnet has for others, nor what a subnet of another region has.
    expect(await specOf('--zones=us-test1-a', '--subnets=apps', '--networking=gcp')).toMatchObject({
      podCIDR: '10.8.0.0/14',
      serviceClusterIPRange: '10.2.0.0/16',
    });
    const made = await specOf('--zones=us-test1-a', '--network-id=corp');
    expect(made).toMatchObject({ networkID: 'corp', subnets: [{ cidr: '10.0.16.0/20' }] });
    expect(made).not.toHaveProperty('subnets[0].id');
  });

  test('finds the network of a host project', async () => {
    addNetwork('projects/host/global/networks/shared');
    const subnet = 'projects/host/regions/us-test1/subnetworks/team';
    addSubnet(subnet, 'projects/host/global/networks/shared', { ipCidrRange: '10.9.0.0/20' });
    const flags = ['--zones=us-test1-a', '--subnets=team', '--network-id=host/shared'];
    expect(await specOf(...flags)).toMatchObject({ networkID: 'host/shared', subnets: [{ id: 'team' }] });
  });

  test('refuses what is not there, and what only Google could say', async () => {
    const refusals = [
      [['--zones=us-test1-a', '--subnets=gone'], 'testproject has no subnet gone in us-test1'],
      [
        ['--zones=us-test1-a', '--subnets=west', '--network-id=corp'],
        'west is in us-west1, and the zones are in us-test1',
      ],
      [['--zones=us-test1-a', '--subnets=gone', '--network-id=corp'], 'the network corp has no subnet gone'],
      [['--zones=us-test1-a', '--network-id=gone'], 'there is no network gone'],
      [['--zones=us-test1-a', '--network-id=host/corp'], 'there is no network host/corp'],
      [['--zones=us-test1-a', '--subnets=apps,west'], '--subnets names 2'],
      [['--zones=us-test1-a', '--subnets=apps', '--offline'], 'name it with --network-id'],
      [['--zones=us-test1-a', '--network-id=corp', '--offline'], 'which ranges of the network corp are free'],
    ] as const;
    await Promise.all(
      refusals.map(async ([flags, why]) => {
        const { exitCode, stderr } = await create('--dry-run', ...flags);
        expect(exitCode).not.toBe(0);
        expect(stderr).toContain(why);
      }),
    );
  });

  test('uses the subnet, and gives it back as it was', { timeout: 180_000 }, async () => {
    const succeeds = async (...argv: readonly string[]) => {
      const ended = await account.kopsctl(argv);
      expect(ended.exitCode, `${ended.stdout}\n${ended.stderr}`).toBe(0);
      return ended.stdout;
    };
    const ranges = () => account.google.compute.resources.get(SUBNET)?.['secondaryIpRanges'];
    const [before, rangesBefore] = [account.remains(), ranges()];
    const named = ['--zones=us-test1-a', '--subnets=apps', '--networking=gcp', '--topology=private'];
    const { stdout } = await create('--dry-run', '-o', 'yaml', ...named);
    await succeeds('create', '-f', account.write('demo.yaml', stdout));
    await succeeds('update', 'cluster', 'demo.example.com', '--yes');
    expect(ranges()).toEqual([
      { rangeName: 'others', ipCidrRange: '10.4.0.0/14' },
      { rangeName: 'pods-demo-example-com', ipCidrRange: '10.8.0.0/14' },
      { rangeName: 'services-demo-example-com', ipCidrRange: '10.2.0.0/16' },
    ]);
    const made = account.google.changes.filter((change) => /\.(networks|subnetworks|routers)\./.test(change));
    expect(made).toEqual(['compute.subnetworks.patch']);
    expect(await succeeds('update', 'cluster', 'demo.example.com')).toContain('No changes');

    await succeeds('delete', 'cluster', 'demo.example.com', '--yes');
    expect(account.remains()).toEqual(before);
    expect(ranges()).toEqual(rangesBefore);
  });

  test('names the line of a subnet that is not there', async () => {
    const named = ['--zones=us-test1-a', '--subnets=apps'];
    const { stdout } = await create('--dry-run', '-o', 'yaml', ...named);
    const path = account.write('demo.yaml', stdout.replace('id: apps', 'id: gone'));
    const { exitCode, stderr } = await account.kopsctl(['plan', '-f', path]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/demo\.yaml:\d+.*the network corp has no subnet gone/);
  });
});
