import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GoogleRequest } from '@kopsctl/google/google-api.ts';
import { refusalOf } from '@kopsctl/google/google-refusal.ts';
import { expect, test } from 'vitest';
import { answerFields } from './compute.ts';
import { type GceDisk, parseDisk, volumesAmong } from './disks.ts';
import { type GceInstance, machinesAmong, parseInstance } from './instances.ts';
import { keepUnreachable } from './keep-unreachable.ts';
import { listAll } from './list-all.ts';
import { change } from './operation.ts';

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'testdata/recorded.json'), 'utf8'));
const { signal } = new AbortController();

/** A Compute Engine that returns these responses in order. */
function compute(answers: readonly unknown[]) {
  const requests: GoogleRequest[] = [];
  const left = [...answers];
  const api = {
    call: async (request: GoogleRequest) => {
      requests.push(request);
      const answer = left.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { requests, api, endpoint: 'https://compute.googleapis.com/compute/v1', project: 'acme' };
}

const instance = (name: string, changes: Partial<GceInstance> = {}): GceInstance => ({
  instanceId: `us-east1-b/${name}`,
  zone: 'us-east1-b',
  nodeName: name,
  status: 'RUNNING',
  address: '10.0.0.1',
  externalAddresses: [],
  labels: { 'k8s-io-cluster-name': 'demo-example-com', 'k8s-io-role-node': 'node', 'k8s-io-instance-group': 'nodes' },
  deviceNames: new Map(),
  ...changes,
});
const disk = (name: string, changes: Partial<GceDisk> = {}): GceDisk => ({
  id: `us-east1-b/${name}`,
  name,
  zone: 'us-east1-b',
  sizeGiB: 20,
  status: 'READY',
  labels: {
    'k8s-io-cluster-name': 'demo-example-com',
    'k8s-io-etcd-main': 'a-2fa-2cb-2cc',
    'k8s-io-role-master': 'master',
  },
  holders: [],
  ...changes,
});

test('a recorded instance is parsed', async () => {
  const { items } = await listAll(
    compute([recorded.aggregatedInstances]),
    { kind: 'instances', cluster: 'demo', fields: 'name' },
    (item) => [parseInstance(item)],
    signal,
  );
  expect(items).toEqual([
    {
      instanceId: 'europe-west1-a/libcloud-demo-europe-np-node',
      zone: 'europe-west1-a',
      nodeName: 'libcloud-demo-europe-np-node',
      status: 'RUNNING',
      address: '10.240.221.125',
      externalAddresses: ['23.251.128.10'],
      launchedMs: Date.UTC(2013, 11, 13, 18, 43, 12, 706),
      labels: {},
      deviceNames: new Map([
        ['europe-west1-a/libcloud-demo-europe-np-node', 'libcloud-demo-europe-np-node'],
        ['europe-west1-a/libcloud-demo-europe-attach-disk', 'libcloud-demo-europe-attach-disk'],
      ]),
    },
  ]);
});

test('a recorded disk is parsed; a regional disk is left out', () => {
  const [answer] = recorded.aggregatedDisks.items['zones/us-central1-a'].disks;
  expect(parseDisk(answerFields(answer))).toEqual([
    {
      id: 'us-central1-a/lcdisk',
      name: 'lcdisk',
      zone: 'us-central1-a',
      sizeGiB: Number(answer.sizeGb),
      status: 'READY',
      labels: { one: '1', two: '2', three: '3' },
      holders: [],
    },
  ]);
  expect(parseDisk(answerFields({ name: 'regional', sizeGb: '10', status: 'READY' }))).toEqual([]);
});

test('IPv6 addresses are external ones, a chosen host name is the Node’s, and the first address is the own', () => {
  const zone = 'https://www.googleapis.com/compute/v1/projects/acme/zones/us-east1-b';
  const networkInterfaces = [
    {
      networkIP: '10.0.0.7',
      ipv6Address: 'fd20::7',
      accessConfigs: [{ natIP: '192.0.2.7' }, {}],
      ipv6AccessConfigs: [{ externalIpv6: '2600:1900::7' }],
    },
    { networkIP: '10.1.0.7', accessConfigs: [{ natIP: '192.0.2.7' }] },
  ];
  const hostname = 'Alpha.example.com';
  const read = parseInstance(answerFields({ name: 'x', zone, hostname, status: 'RUNNING', networkInterfaces }));
  expect(read).toMatchObject({
    nodeName: 'alpha',
    address: '10.0.0.7',
    externalAddresses: ['192.0.2.7', '2600:1900::7', 'fd20::7'],
  });
});

test('labels decide whether a machine belongs to the cluster, even if a filter was ignored', () => {
  const ours = instance('x').labels;
  const all = [
    instance('node-b'),
    instance('node-a', { status: 'TERMINATED' }),
    instance('foreign', { labels: { ...ours, 'k8s-io-cluster-name': 'demo-example-com-2' } }),
    instance('no-machine-of-ours', { labels: { 'k8s-io-cluster-name': 'demo-example-com' } }),
    instance('going', { status: 'DEPROVISIONING' }),
    instance('unborn', { status: 'PROVISIONING', address: '' }),
    instance('cp', {
      labels: { ...ours, 'k8s-io-role-control-plane': 'control-plane', 'k8s-io-role-master': 'master' },
    }),
  ];
  expect(
    machinesAmong(all, 'demo.example.com').map(({ nodeName, running, role }) => [nodeName, running, role]),
  ).toEqual([
    ['cp', true, 'ControlPlane'],
    ['node-a', false, 'Node'],
    ['node-b', true, 'Node'],
  ]);
});

test('volumes have the same tags as in other clouds; volumes of other clusters and without etcd are left out', () => {
  const ours = disk('x').labels;
  const all = [
    disk('a'),
    disk('unreadable', { labels: { ...ours, 'k8s-io-etcd-main': 'a-' } }),
    disk('foreign', { labels: { ...ours, 'k8s-io-cluster-name': 'demo-example-com-2' } }),
    disk('of-a-pod', { labels: { 'k8s-io-cluster-name': 'demo-example-com' } }),
    disk('going', { status: 'DELETING' }),
  ];
  const view = { cluster: 'demo.example.com', instanceId: 'us-east1-b/me', instances: [] };
  expect(volumesAmong(all, view).map(({ id, tags }) => [id, tags['k8s.io/etcd/main']])).toEqual([
    ['us-east1-b/a', 'a/a,b,c'],
    ['us-east1-b/unreadable', undefined],
  ]);
});

test('a volume names its holder and its attachment: of two holders, the other machine', () => {
  const me = instance('me', { deviceNames: new Map([['us-east1-b/a', 'by-hand']]) });
  const other = instance('other', { address: '10.0.0.2' });
  const view = { cluster: 'demo.example.com', instanceId: me.instanceId, instances: [me, other] };
  const holder = (...holders: string[]) => volumesAmong([disk('a', { holders })], view)[0]?.attachedTo;
  expect(holder()).toBeUndefined();
  expect(holder(me.instanceId)).toMatchObject({ device: '/dev/disk/by-id/google-by-hand', address: '10.0.0.1' });
  expect(holder(me.instanceId, other.instanceId)).toMatchObject({ instanceId: other.instanceId, address: '10.0.0.2' });
  // The same name in another zone is another machine.
  expect(holder('us-east1-c/me')).toEqual({
    instanceId: 'us-east1-c/me',
    address: '',
    device: '/dev/disk/by-id/google-a',
  });
});

test('a zone that does not respond keeps its last known items', () => {
  const keep = keepUnreachable<{ readonly id: string; readonly zone: string }>(({ id }) => id);
  const [b, c] = [
    { id: 'b', zone: 'us-east1-b' },
    { id: 'c', zone: 'us-east1-c' },
  ];
  const silent = new Set(['us-east1-c', 'asia-east1-a']);
  expect(keep({ items: [b, c], unreachable: new Set() })).toEqual([b, c]);
  expect(keep({ items: [], unreachable: silent })).toEqual([c]);
  expect(keep({ items: [b], unreachable: silent })).toEqual([b, c]);
  expect(keep({ items: [b, c], unreachable: silent })).toEqual([b, c]);
  expect(keep({ items: [b], unreachable: new Set() })).toEqual([b]);
});

test('zones that do not respond are collected from every page', async () => {
  const pages = compute([
    {
      items: {
        'zones/us-east1-b': { warning: { code: 'UNREACHABLE' } },
        'zones/us-east1-c': { disks: [{ name: 'c' }] },
      },
      nextPageToken: 'more=',
    },
    {
      items: { 'zones/us-east1-d': { warning: { code: 'NO_RESULTS_ON_PAGE' } } },
      unreachables: ['projects/acme/zones/us-east1-e'],
    },
  ]);
  const listing = { kind: 'disks', cluster: 'demo.example.com', fields: 'name' } as const;
  expect(await listAll(pages, listing, (item) => [item.text('name')], signal)).toEqual({
    items: ['c'],
    unreachable: new Set(['us-east1-b', 'us-east1-e']),
  });
  expect(pages.requests.map(({ url }) => new URL(url).searchParams.get('pageToken'))).toEqual([null, 'more=']);
  const { pathname, searchParams } = new URL(pages.requests[0]?.url ?? '');
  expect(pathname).toBe('/compute/v1/projects/acme/aggregated/disks');
  expect(searchParams.get('filter')).toBe('labels.k8s-io-cluster-name = "demo-example-com"');
});

const attach = { method: 'POST', url: 'https://compute.googleapis.com/…/attachDisk' } as const;

test('a change is complete when its operation is done', async () => {
  const server = compute([recorded.attachPending, recorded.attachDone]);
  await change(server, { place: 'zones/us-central1-a', request: attach }, signal);
  expect(server.requests[1]).toMatchObject({
    method: 'POST',
    url: `https://compute.googleapis.com/compute/v1/projects/acme/zones/us-central1-a/operations/${recorded.attachPending.name}/wait`,
  });
});

test('an operation that fails is refused with its error code', async () => {
  await expect(
    change(
      compute([recorded.attachPending, recorded.failedOperation]),
      { place: 'zones/europe-west1-a', request: attach },
      signal,
    ),
  ).rejects.toMatchObject({
    status: 409,
    reasons: ['RESOURCE_ALREADY_EXISTS'],
    said: expect.stringContaining('already exists'),
  });
});

test('a recorded refusal is parsed', () => {
  const text = JSON.stringify(recorded.notFound);
  expect(refusalOf('GET /x', 404, text)).toMatchObject({
    status: 404,
    reasons: ['notFound'],
    said: expect.stringContaining('was not found'),
  });
});

test.each([
  ['a page that is not an object', 'down', 'the answer is not an object'],
  [
    'disks that are not a list',
    { items: { 'zones/a': { disks: {} } } },
    'the answer.items.zones/a.disks is not a list',
  ],
  [
    'a label that is not text',
    { items: { 'zones/a': { disks: [{ name: 'c', zone: 'z', sizeGb: '1', status: 'READY', labels: { a: 1 } }] } } },
    'labels.a is not text',
  ],
])('%s is refused, and the error names it', async (_, page, why) => {
  const listing = { kind: 'disks', cluster: 'demo.example.com', fields: 'name' } as const;
  await expect(listAll(compute([page]), listing, parseDisk, signal)).rejects.toThrow(why);
});
