import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openNodeCloud } from '@kopsctl/clouds/node.ts';
import type { NodeCloud } from '@kopsctl/node-cloud/node-cloud.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GceMachine, metadataOf, serveGceMetadata } from './gce-machine.ts';
import { checkMessage, checkRequest } from './google-schema.ts';
import { type GceServer, startGce } from './gce-server.ts';
import { serve } from './serve-test-server.ts';

/** A cloud that lists its machines itself asks the state store for nothing. */
const openStore = async (): Promise<never> => Promise.reject(new Error('the state store is not asked'));

const PROJECT = 'acme';
const CLUSTER = 'demo.example.com';
const ZONE = 'us-east1-b';
const CREATED = '2026-11-22T13:00:00.000-08:00';
const TIMEOUT_MS = 60_000;

const clusterLabels = (cluster: string) => ({ 'k8s-io-cluster-name': cluster.replaceAll('.', '-') });

describe('a machine in GCE', () => {
  const signal = AbortSignal.timeout(10 * TIMEOUT_MS);
  const stops: (() => Promise<void>)[] = [];
  let gce: GceServer;
  let made = 0;

  const run = (cluster = CLUSTER, role = 'master', zone = ZONE): GceMachine => {
    made += 1;
    const name = `${role}-${zone}-${made}`;
    const address = `10.0.0.${made}`;
    const labels = {
      ...clusterLabels(cluster),
      [`k8s-io-role-${role}`]: role,
      'k8s-io-instance-group': `${role}-${zone}`,
    };
    gce.instances.set(`${zone}/${name}`, {
      zone,
      name,
      address,
      labels,
      natIP: `192.0.2.${made}`,
      creationTimestamp: CREATED,
    });
    return { project: PROJECT, zone, name, address, token: `token-of-${name}` };
  };
  const makeDisk = (labels: Readonly<Record<string, string>>, cluster = CLUSTER, zone = ZONE): string => {
    made += 1;
    const name = `disk-${made}`;
    gce.disks.set(`${zone}/${name}`, { zone, name, labels: { ...clusterLabels(cluster), ...labels } });
    return `${zone}/${name}`;
  };
  const cloudOf = async (machine: GceMachine, cluster = CLUSTER): Promise<NodeCloud> => {
    const server = await serveGceMetadata(metadataOf(machine));
    stops.push(() => server.stop());
    const env = {
      GCE_METADATA_HOST: server.url.replace('http://', ''),
      CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE: `${gce.url}/compute/v1/`,
    };
    return openNodeCloud('gce', { cluster, naming: { nodeName: machine.name }, env, openStore });
  };
  const idOf = ({ zone, name }: GceMachine) => `${zone}/${name}`;

  beforeAll(async () => {
    gce = await startGce(PROJECT);
    stops.push(() => gce.stop());
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  // All requests and answers must match Google's own schema.
  afterEach(() => {
    if (gce.faults.length > 0) throw new Error(gce.faults.join('\n'));
  });

  test('reads facts from the metadata server, which is busy at first', { timeout: TIMEOUT_MS }, async () => {
    const machine = run();
    expect(await (await cloudOf(machine)).facts(signal)).toEqual({
      instanceId: idOf(machine),
      nodeName: machine.name,
      address: machine.address,
      zone: ZONE,
    });
  });

  test('does not trust a server that is not a metadata server', { timeout: TIMEOUT_MS }, async () => {
    const stranger = await serve((_, answer) => answer.end('i-am-somebody'));
    stops.push(() => stranger.stop());
    const env = { GCE_METADATA_HOST: stranger.url };
    const cloud = await openNodeCloud('gce', { cluster: CLUSTER, naming: { nodeName: 'x' }, env, openStore });
    await expect(cloud.facts(signal)).rejects.toThrow('it does not come from the metadata server');
  });

  test(
    'lists the machines of its cluster on all pages, with roles, groups and addresses',
    { timeout: TIMEOUT_MS },
    async () => {
      const [own, worker, elsewhere] = [run(), run(CLUSTER, 'node'), run(CLUSTER, 'node', 'us-east1-c')];
      const foreign = [run(`${CLUSTER}-2`), run(`x.${CLUSTER}`), run('demo')];
      const cloud = await cloudOf(own);
      const { items, revision } = await cloud.machines(undefined, signal);
      expect(items.find(({ instanceId }) => instanceId === idOf(worker))).toEqual({
        instanceId: idOf(worker),
        nodeName: worker.name,
        address: worker.address,
        externalAddresses: [worker.address.replace('10.0.0', '192.0.2')],
        role: 'Node',
        instanceGroup: `node-${ZONE}`,
        running: true,
        launchedMs: Date.UTC(2026, 10, 22, 21),
      });
      const seen = items.map(({ instanceId }) => instanceId);
      expect(seen).toEqual(expect.arrayContaining([idOf(own), idOf(elsewhere)]));
      for (const other of foreign) expect(seen).not.toContain(idOf(other));
      expect(gce.asked.some((line) => line.includes('pageToken'))).toBe(true);

      // The revision is derived from the content, so another process can wait with it until something changes.
      const next = (await cloudOf(own)).machines(revision, signal);
      gce.instances.delete(idOf(elsewhere));
      expect((await next).items.map(({ instanceId }) => instanceId)).not.toContain(idOf(elsewhere));
    },
  );

  test('keeps the machines of a zone that does not answer', { timeout: TIMEOUT_MS }, async () => {
    const [own, far] = [run(), run(CLUSTER, 'node', 'us-east1-d')];
    const cloud = await cloudOf(own);
    await cloud.machines(undefined, signal);
    gce.silent.add('us-east1-d');
    const { items } = await cloud.machines(undefined, signal);
    gce.silent.clear();
    expect(items.map(({ instanceId }) => instanceId)).toContain(idOf(far));
    gce.instances.delete(idOf(far));
    const after = await cloud.machines(undefined, signal);
    expect(after.items.map(({ instanceId }) => instanceId)).not.toContain(idOf(far));
  });

  test(
    "lists only etcd's volumes of its cluster, with the tags used on other clouds",
    { timeout: TIMEOUT_MS },
    async () => {
      const own = makeDisk({ 'k8s-io-etcd-main': 'a-2fa-2cb-2cc', 'k8s-io-role-master': 'master' });
      const others = [
        makeDisk({}),
        makeDisk({ 'k8s-io-etcd-main': 'a-2fa' }, `${CLUSTER}-2`),
        makeDisk({ 'k8s-io-etcd-main': 'a-2fa' }, 'demo'),
      ];
      const cloud = await cloudOf(run());
      const { items } = await cloud.volumes(undefined, signal);
      expect(items.find(({ id }) => id === own)).toEqual({
        id: own,
        name: own.replace(`${ZONE}/`, ''),
        sizeGiB: 20,
        zone: ZONE,
        tags: { ...clusterLabels(CLUSTER), 'k8s.io/etcd/main': 'a/a,b,c', 'k8s-io-role-master': 'master' },
      });
      for (const other of others) {
        expect(items.map(({ id }) => id)).not.toContain(other);
        await expect(cloud.attachVolume(other, signal)).rejects.toThrow(/not an etcd volume of demo\.example\.com/);
      }
    },
  );

  test('attaches a disk for exactly one of two competing machines', { timeout: TIMEOUT_MS }, async () => {
    const machines = [run(), run()];
    const clouds = await Promise.all(machines.map((machine) => cloudOf(machine)));
    for (let round = 0; round < 5; round += 1) {
      const disk = makeDisk({ 'k8s-io-etcd-events': 'a-2fa' });
      const results = await Promise.allSettled(clouds.map((cloud) => cloud.attachVolume(disk, signal)));
      const winners = machines.filter((_, index) => results[index]?.status === 'fulfilled');
      expect(winners.map(idOf)).toEqual([gce.holderOf(disk)]);
      const [winner] = winners;
      const loser = results.find((result) => result.status === 'rejected');
      expect(String(loser?.reason)).toContain(`${gce.holderOf(disk)} holds it`);
      const seen = await Promise.all(clouds.map((cloud) => cloud.volumes(undefined, signal)));
      const held = {
        instanceId: gce.holderOf(disk),
        address: winner?.address,
        device: `/dev/disk/by-id/google-${disk.replace(`${ZONE}/`, '')}`,
      };
      expect(seen.map(({ items }) => items.find(({ id }) => id === disk)?.attachedTo)).toEqual([held, held]);
    }
  });

  test('attaches a disk twice without a change, even if answers were lost', { timeout: TIMEOUT_MS }, async () => {
    const machine = run();
    const cloud = await cloudOf(machine);
    const disk = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' });
    gce.loseAnswers(2);
    const first = await cloud.attachVolume(disk, signal);
    expect(gce.holderOf(disk)).toBe(idOf(machine));
    expect(await cloud.attachVolume(disk, signal)).toEqual(first);

    gce.loseAnswers(1);
    await cloud.detachVolume(disk, signal);
    expect(gce.holderOf(disk)).toBeUndefined();
    await cloud.detachVolume(disk, signal);
  });

  test('never takes a disk from another machine', { timeout: TIMEOUT_MS }, async () => {
    const [holder, other] = [run(), run()];
    const disk = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' });
    await (await cloudOf(holder)).attachVolume(disk, signal);
    await (await cloudOf(other)).detachVolume(disk, signal);
    expect(gce.holderOf(disk)).toBe(idOf(holder));
  });

  test('takes no disk from another machine because of a stale answer', { timeout: TIMEOUT_MS }, async () => {
    const [holder, other] = [run(), run()];
    const disk = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' });
    const cloud = await cloudOf(holder);
    const device = await cloud.attachVolume(disk, signal);
    // One stale answer about the disk and one about the machine.
    gce.lag(2);
    expect(await cloud.attachVolume(disk, signal)).toEqual(device);
    gce.lag(2);
    await expect((await cloudOf(other)).attachVolume(disk, signal)).rejects.toThrow(`${idOf(holder)} holds it`);
    expect(gce.holderOf(disk)).toBe(idOf(holder));
  });

  test('finds a disk that was attached under another device name', { timeout: TIMEOUT_MS }, async () => {
    const machine = run();
    const disk = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' });
    gce.attachByHand({ disk, instance: idOf(machine), deviceName: 'persistent-disk-1', mode: 'READ_WRITE' });
    const cloud = await cloudOf(machine);
    const device = '/dev/disk/by-id/google-persistent-disk-1';
    expect(await cloud.attachVolume(disk, signal)).toEqual({ device });
    const { items } = await cloud.volumes(undefined, signal);
    expect(items.find(({ id }) => id === disk)?.attachedTo?.device).toBe(device);
    await cloud.detachVolume(disk, signal);
    expect(gce.holderOf(disk)).toBeUndefined();

    gce.attachByHand({ disk, instance: idOf(machine), deviceName: 'x', mode: 'READ_ONLY' });
    await expect(cloud.attachVolume(disk, signal)).rejects.toThrow('attached to this machine read-only');
  });

  test('retries if the machine is busy or a rate limit is exceeded', { timeout: TIMEOUT_MS }, async () => {
    const machine = run();
    const disk = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' });
    const cloud = await cloudOf(machine);
    gce.beBusy(2);
    gce.throttle(2);
    await cloud.attachVolume(disk, signal);
    expect(gce.holderOf(disk)).toBe(idOf(machine));
  });

  test('reports a deleted disk, and a disk in another zone', { timeout: TIMEOUT_MS }, async () => {
    const cloud = await cloudOf(run());
    const disk = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' });
    const { revision } = await cloud.volumes(undefined, signal);
    const next = cloud.volumes(revision, signal);
    gce.disks.delete(disk);
    await expect(cloud.attachVolume(disk, signal)).rejects.toThrow('there is no such disk');
    expect((await next).items.map(({ id }) => id)).not.toContain(disk);
    const far = makeDisk({ 'k8s-io-etcd-main': 'b-2fb' }, CLUSTER, 'us-east1-c');
    await expect(cloud.attachVolume(far, signal)).rejects.toThrow(`this machine is in ${ZONE}`);
  });

  test('distinguishes a missing access scope from a missing permission', { timeout: TIMEOUT_MS }, async () => {
    const [scoped, denied] = [run(), run()];
    gce.rights.set(scoped.token, { isScopeMissing: true });
    gce.rights.set(denied.token, { lacks: 'compute.instances.attachDisk' });
    const disk = makeDisk({ 'k8s-io-etcd-main': 'c-2fc' });
    await expect((await cloudOf(scoped)).machines(undefined, signal)).rejects.toMatchObject({
      what: `list the instances of ${CLUSTER}`,
      next: expect.stringContaining('access scope compute.readonly'),
    });
    const cloud = await cloudOf(denied);
    await cloud.machines(undefined, signal);
    await expect(cloud.attachVolume(disk, signal)).rejects.toMatchObject({
      what: `attach the disk ${disk}`,
      next: expect.stringContaining('compute.instances.attachDisk'),
    });
  });

  test('reports a missing service account', { timeout: TIMEOUT_MS }, async () => {
    const { 'instance/service-accounts/default/token': _, ...metadata } = metadataOf(run());
    const server = await serveGceMetadata(metadata);
    stops.push(() => server.stop());
    const cloud = await openNodeCloud('gce', {
      cluster: CLUSTER,
      naming: { nodeName: 'x' },
      env: { GCE_METADATA_HOST: server.url },
      openStore,
    });
    await expect(cloud.machines(undefined, signal)).rejects.toThrow('this machine has no service account');
  });
});

describe("Google's schema, which the tests above use", () => {
  const node = createRequire(import.meta.url).resolve('@kopsctl/clouds/gce/node/compute.ts');
  const recorded = JSON.parse(readFileSync(join(dirname(node), 'testdata/recorded.json'), 'utf8'));

  test.each([
    ['compute.InstanceAggregatedList', 'aggregatedInstances'],
    ['compute.DiskAggregatedList', 'aggregatedDisks'],
    ['compute.Operation', 'attachPending'],
    ['compute.Operation', 'attachDone'],
    ['compute.Operation', 'failedOperation'],
  ])('accepts an %s that Google sent', (type, name) => {
    expect(checkMessage(type, recorded[name], name)).toEqual([]);
  });

  const zone = '/compute/v1/projects/acme/zones/us-east1-b';
  test.each([
    ['POST', `${zone}/instances/x/attachDisk`, '', 'lacks a body'],
    ['POST', `${zone}/instances/x/attachDisk`, '{"mode":"RW"}', 'RW is none of READ_ONLY, READ_WRITE'],
    ['POST', `${zone}/instances/x/attachDisk`, '{"devicename":"x"}', 'body has no field devicename'],
    ['POST', `${zone}/instances/x/detachDisk`, '', 'lacks deviceName'],
    ['GET', `${zone}/disks/x?fields=size`, '', 'fields: there is no field size'],
    ['GET', '/compute/v1/projects/acme/aggregated/disks?maxresults=5', '', 'knows no parameter maxresults'],
  ])('refuses %s %s %s: %s', (verb, url, body, fault) => {
    expect(checkRequest(verb, new URL(url, 'http://localhost'), body)?.faults.join()).toContain(fault);
  });
});
