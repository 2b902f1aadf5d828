import { deepEqual } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  DisksClient,
  InstanceGroupManagersClient,
  InstancesClient,
  InstanceTemplatesClient,
  NetworksClient,
  SubnetworksClient,
} from '@google-cloud/compute';
import { serialPortOutput } from '@kopsctl/clouds/gce/control/running/serial-port-output.ts';
import { openGoogleApi } from '@kopsctl/google/google-api.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { computeClientOptions, openOperations, operationOf } from './google-operations.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';

const project = 'testproject';
const zone = 'us-test1-a';
const region = 'us-test1';
const NETWORK = `projects/${project}/global/networks/net`;
const NO_ENDPOINTS = { dns: '', iam: '', kms: '', resourceManager: '', storage: '' };
const TEMPLATE = `projects/${project}/global/instanceTemplates/nodes-1`;

/** Loading Google's client takes seconds. */
function openClients(google: GoogleServer) {
  const options = computeClientOptions(google, project);
  return {
    done: openOperations(options, { project, region, zone }),
    disks: new DisksClient(options),
    instances: new InstancesClient(options),
    managers: new InstanceGroupManagersClient(options),
    networks: new NetworksClient(options),
    subnetworks: new SubnetworksClient(options),
    templates: new InstanceTemplatesClient(options),
  };
}

/**
 * The server that kopsctl is tested against, driven by a client that knows nothing of kopsctl: Google's own, made from Google's
 * own description. So the server's idea of requests and answers is not only that of the author of both.
 */
describe("Google's own client of Compute Engine, on the test server", { timeout: 60_000 }, () => {
  let google: GoogleServer;
  let clients: ReturnType<typeof openClients>;

  const done: ReturnType<typeof openOperations> = (place, begun) => clients.done(place, begun);

  beforeAll(async () => {
    google = await startGoogle();
    clients = openClients(google);
  });
  afterEach(() => deepEqual(google.violations, []));
  afterAll(() => google.stop());

  test('makes a network and a subnet, and reads them as it made them', async () => {
    const { networks, subnetworks } = clients;
    const networkResource = { name: 'net', autoCreateSubnetworks: false };
    await done('global', networks.insert({ project, networkResource }));
    const subnetworkResource = { name: 'sub', network: NETWORK, ipCidrRange: '10.0.16.0/20' };
    await done('region', subnetworks.insert({ project, region, subnetworkResource }));
    const [subnet] = await subnetworks.get({ project, region, subnetwork: 'sub' });
    expect(subnet).toMatchObject({ name: 'sub', ipCidrRange: '10.0.16.0/20' });
    expect(subnet.network).toBe(`https://www.googleapis.com/compute/v1/${NETWORK}`);
    await expect(operationOf(networks.insert({ project, networkResource }))).rejects.toThrow('already exists');
    const begun = networks.insert({ project, networkResource: { ...networkResource, name: 'other' } });
    await operationOf(begun);
    const again = networks.insert({ project, networkResource: { ...networkResource, name: 'other' } });
    await expect(operationOf(again)).rejects.toThrow('already exists');
    await done('global', begun);
    await done('global', networks.delete({ project, network: 'other' }));
    await expect(operationOf(networks.delete({ project, network: 'net' }))).rejects.toThrow('already being used');
  });

  test('finds disks by their labels in all zones, page by page, and changes labels only with their fingerprint', async () => {
    const { disks } = clients;
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) {
      const labels = { 'k8s-io-cluster-name': name === 'e' ? 'other' : 'demo' };
      const diskResource = { name, sizeGb: 20, labels };
      await done('zone', disks.insert({ project, zone, diskResource }));
    }
    const found: (string | null | undefined)[] = [];
    const filter = 'labels.k8s-io-cluster-name = "demo"';
    for await (const [, scoped] of disks.aggregatedListAsync({ project, filter })) {
      found.push(...(scoped.disks ?? []).map(({ name }) => name));
    }
    expect(found).toEqual(['a', 'b', 'c', 'd']);
    const relabel = (labelFingerprint: string) =>
      disks.setLabels({
        project,
        zone,
        resource: 'a',
        zoneSetLabelsRequestResource: { labels: { team: 'x' }, labelFingerprint },
      });
    await expect(operationOf(relabel('stale'))).rejects.toThrow('fingerprint');
    const [{ labelFingerprint }] = await disks.get({ project, zone, disk: 'a' });
    await done('zone', relabel(labelFingerprint ?? ''));
    expect((await disks.get({ project, zone, disk: 'a' }))[0].labels).toEqual({ team: 'x' });
  });

  test('makes nothing twice with one request id', async () => {
    const { disks } = clients;
    const request = { project, zone, requestId: randomUUID(), diskResource: { name: 'once', sizeGb: 20 } };
    const [first, second] = [await operationOf(disks.insert(request)), await operationOf(disks.insert(request))];
    expect(second).toBe(first);
    await done('zone', disks.insert(request));
    const again = { ...request, requestId: randomUUID() };
    await expect(operationOf(disks.insert(again))).rejects.toThrow('already exists');
  });

  test('has a managed group keep as many machines as it is told, and replace one under its name', async () => {
    const { managers, templates } = clients;
    const properties = { machineType: 'e2-medium', networkInterfaces: [{ network: NETWORK }] };
    const instanceTemplateResource = { name: 'nodes-1', properties };
    await done('global', templates.insert({ project, instanceTemplateResource }));
    const instanceGroupManagerResource = {
      name: 'a-nodes',
      baseInstanceName: 'nodes',
      targetSize: 2,
      versions: [{ instanceTemplate: TEMPLATE }],
    };
    const own = { project, zone, instanceGroupManager: 'a-nodes' };
    await done('zone', managers.insert({ project, zone, instanceGroupManagerResource }));
    await done('zone', managers.resize({ ...own, size: 4 }));
    const [before] = await managers.listManagedInstances(own);
    expect(before.map(({ instanceStatus }) => instanceStatus)).toEqual(Array(4).fill('RUNNING'));
    const instances = [before[0]?.instance ?? ''];
    const recreated = { instances };
    await done(
      'zone',
      managers.recreateInstances({ ...own, instanceGroupManagersRecreateInstancesRequestResource: recreated }),
    );
    let [after] = await managers.listManagedInstances(own);
    expect(after[0]?.currentAction).toBe('RECREATING');
    while (after.some(({ currentAction }) => currentAction !== 'NONE'))
      [after] = await managers.listManagedInstances(own);
    expect(after.map(({ instance }) => instance)).toEqual(before.map(({ instance }) => instance));
    expect(after[0]?.id).not.toEqual(before[0]?.id);
    const inUse = templates.delete({ project, instanceTemplate: 'nodes-1' });
    await expect(operationOf(inUse)).rejects.toThrow('already being used');
  });

  test('has the console of a machine, of which kopsctl reads the end', async () => {
    const { instances } = clients;
    const [own] = await instances.list({ project, zone });
    const name = own[0]?.name ?? '';
    google.compute.consoles.set(
      `projects/${project}/zones/${zone}/instances/${name}`,
      `${'x'.repeat(70_000)}Kernel panic`,
    );
    const [last] = await instances.getSerialPortOutput({ project, zone, instance: name, start: -12 });
    expect(last).toMatchObject({ contents: 'Kernel panic', start: '70000', next: '70012' });
    const gce = {
      project,
      api: openGoogleApi(async () => 'token'),
      endpoints: { ...NO_ENDPOINTS, compute: `${google.url}/compute/v1` },
    };
    const signal = AbortSignal.timeout(10_000);
    const read = await serialPortOutput(gce, `${zone}/${name}`, signal);
    expect(read).toMatch(/x{65000}.*Kernel panic$/);
    expect(read).toHaveLength(64 * 1024);
    expect(await serialPortOutput(gce, `${zone}/gone`, signal)).toBe('');
  });

  test('gives a disk to one machine at a time', async () => {
    const { disks, instances } = clients;
    const own: string[] = [];
    for await (const { name } of instances.listAsync({ project, zone })) own.push(name ?? '');
    const [one = '', two = ''] = own;
    const attachedDiskResource = { source: `projects/${project}/zones/${zone}/disks/once`, deviceName: 'etcd-main' };
    const attach = (instance: string) => instances.attachDisk({ project, zone, instance, attachedDiskResource });
    await done('zone', attach(one));
    await expect(operationOf(attach(two))).rejects.toThrow(`already being used by`);
    const [{ users = [] }] = await disks.get({ project, zone, disk: 'once' });
    expect(users).toEqual([expect.stringMatching(new RegExp(`/instances/${one}$`))]);
    await expect(operationOf(disks.delete({ project, zone, disk: 'once' }))).rejects.toThrow('already being used');
    await done('zone', instances.detachDisk({ project, zone, instance: one, deviceName: 'etcd-main' }));
    await done('zone', attach(two));
    const [machine] = await instances.get({ project, zone, instance: two });
    expect(machine.disks?.map(({ deviceName }) => deviceName)).toEqual(['etcd-main']);
  });

  test('leaves nothing behind once it has deleted all', async () => {
    const { disks, managers, networks, subnetworks, templates } = clients;
    await done('zone', managers.delete({ project, zone, instanceGroupManager: 'a-nodes' }));
    await done('global', templates.delete({ project, instanceTemplate: 'nodes-1' }));
    const all: string[] = [];
    for await (const { name } of disks.listAsync({ project, zone })) all.push(name ?? '');
    for (const disk of all) await done('zone', disks.delete({ project, zone, disk }));
    await done('region', subnetworks.delete({ project, region, subnetwork: 'sub' }));
    await done('global', networks.delete({ project, network: 'net' }));
    expect([...google.compute.resources.keys()]).toEqual([]);
  });
});
