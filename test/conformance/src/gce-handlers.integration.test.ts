import type { GceCloud } from '@kopsctl/clouds/gce/control/handlers/gce-cloud.ts';
import { bucketMemberHandler } from '@kopsctl/clouds/gce/control/handlers/bucket-member.ts';
import { checkStore } from '@kopsctl/clouds/gce/control/handlers/check-store.ts';
import { keyMemberHandler } from '@kopsctl/clouds/gce/control/handlers/key-member.ts';
import { projectMemberHandler } from '@kopsctl/clouds/gce/control/handlers/project-member.ts';
import { routerHandler } from '@kopsctl/clouds/gce/control/handlers/router.ts';
import { machinesOf } from '@kopsctl/clouds/gce/control/running/machines-and-groups.ts';
import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import { deepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cloudAt } from './cloud-at-google-server.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';

const ROOT = 'https://www.googleapis.com/compute/v1/';
const BUCKET = 'kops-state';
const { signal } = new AbortController();
let google: GoogleServer;

beforeEach(async () => {
  google = await startGoogle();
  google.policies.buckets.set(BUCKET, { isUniform: true });
});
afterEach(async () => {
  await google.stop();
  deepEqual(google.violations, []);
});

const cloud = (spec: ClusterSpec = {}): GceCloud => cloudAt(google, { configBase: `gs://${BUCKET}/demo`, ...spec });

test('the NATs that others have in a router stay as they are', async () => {
  const place = 'projects/acme/regions/us-east1';
  const network = 'projects/acme/global/networks/demo';
  const subnetworks = ['a', 'b'].map((name) => `${place}/subnetworks/${name}`);
  for (const path of [network, ...subnetworks]) {
    google.compute.resources.set(path, { name: path.split('/').at(-1), selfLink: ROOT + path });
  }
  const others = { name: 'office', natIpAllocateOption: 'AUTO_ONLY', minPortsPerVm: 64 };
  const own = {
    name: 'nat-demo',
    natIpAllocateOption: 'AUTO_ONLY',
    sourceSubnetworkIpRangesToNat: 'LIST_OF_SUBNETWORKS',
  };
  const path = `${place}/routers/nat-demo`;
  const selfLink = ROOT + path;
  google.compute.resources.set(path, { name: 'nat-demo', selfLink, network: ROOT + network, nats: [others, own] });
  const props = { name: 'nat-demo', region: 'us-east1', network, subnetworks };
  const env = { gce: cloud() };
  const found = await routerHandler.find('nat-demo', props, env, signal);
  const [step, ...more] = routerHandler.plan('nat-demo', props, found);
  if (step === undefined) throw new Error('its NAT has none of the subnets');
  expect(more).toEqual([]);
  await routerHandler.apply(step, 'nat-demo', props, env, signal);
  const nats = google.compute.resources.get(path)?.['nats'] as readonly { readonly name: string }[];
  expect(nats.map(({ name }) => name)).toEqual(['office', 'nat-demo']);
  // With what Google adds to it.
  expect(nats[0]).toMatchObject(others);
  const after = await routerHandler.find('nat-demo', props, env, signal);
  expect(routerHandler.plan('nat-demo', props, after)).toEqual([]);
});

test('people see the type of a machine, and where it is reached from outside', async () => {
  const path = 'projects/acme/zones/us-east1-b/instances/nodes-x7k2';
  google.compute.resources.set(path, {
    name: 'nodes-x7k2',
    selfLink: ROOT + path,
    zone: `${ROOT}projects/acme/zones/us-east1-b`,
    machineType: `${ROOT}projects/acme/zones/us-east1-b/machineTypes/e2-medium`,
    status: 'RUNNING',
    labels: {
      'k8s-io-cluster-name': 'demo-example-com',
      'k8s-io-instance-group': 'nodes',
      'k8s-io-role-node': 'node',
    },
    networkInterfaces: [{ networkIP: '10.0.16.2', accessConfigs: [{ natIP: '203.0.113.7' }] }],
  });
  expect(await machinesOf(cloud(), signal)).toMatchObject([
    { instanceId: 'us-east1-b/nodes-x7k2', machineType: 'e2-medium', externalAddresses: ['203.0.113.7'] },
  ]);
});

const DEFAULT_EMAIL = '123456-compute@developer.gserviceaccount.com';
const DEFAULT_ACCOUNT = `serviceAccount:${DEFAULT_EMAIL}`;

function give(role: string, member: string, condition?: object): void {
  const bindings = [{ role, members: [member], ...(condition && { condition }) }];
  google.policies.policies.set(`buckets/${BUCKET}`, { version: 3, bindings, etag: 'first' });
}

test('a bucket that only its owners can read is used without a word', async () => {
  give('roles/storage.objectViewer', 'user:auditor@example.com');
  expect(await checkStore(cloud(), signal)).toEqual([]);
  expect(await checkStore(cloud({ configBase: 's3://elsewhere/demo' }), signal)).toEqual([]);
});

test.each([{}, { cloudConfig: { gceServiceAccount: 'own@acme.iam.gserviceaccount.com' } }])(
  'a bucket whose objects have readers of their own is refused with %j',
  async (spec) => {
    google.policies.buckets.set(BUCKET, { isUniform: false });
    await expect(checkStore(cloud(spec), signal)).rejects.toThrow(
      /kops-state: its objects have access control lists of their own/,
    );
  },
);

test('a bucket that is not there is named', async () => {
  await expect(checkStore(cloud({ keyStore: 'gs://none/pki' }), signal)).rejects.toThrow(
    /none: there is no such bucket/,
  );
});

test.each([
  ['roles/storage.objectViewer', 'allUsers', /everybody \(allUsers\) has roles\/storage\.objectViewer there/],
  ['roles/storage.legacyObjectReader', 'allAuthenticatedUsers', /everybody/],
  ['roles/storage.objectAdmin', DEFAULT_ACCOUNT, /every program with the default account of machines/],
])('a bucket in which %s is given to %s is refused', async (role, member, why) => {
  give(role, member);
  const spec = { cloudConfig: { gceServiceAccount: 'own@acme.iam.gserviceaccount.com' } };
  await expect(checkStore(cloud(spec), signal)).rejects.toThrow(why);
  expect(google.changes).toEqual([]);
});

test.each([
  ['roles/storage.legacyObjectReader', 'projectViewer:acme', 'whoever has the role Viewer in the project'],
  ['roles/storage.legacyObjectOwner', 'projectEditor:acme', 'whoever has the role Editor in the project'],
])('%s of %s is told', async (role, member, who) => {
  give(role, member);
  expect(await checkStore(cloud(), signal)).toEqual([expect.stringContaining(who)]);
  give(role.replace('Object', 'Bucket'), member);
  expect(await checkStore(cloud(), signal)).toEqual([]);
});

test('the default account may read what its machines need, which is told, because all machines of the project can', async () => {
  const told = [expect.stringContaining('every program with the default account of machines')];
  give('roles/storage.objectViewer', DEFAULT_ACCOUNT);
  for (const gceServiceAccount of ['default', DEFAULT_EMAIL]) {
    expect(await checkStore(cloud({ cloudConfig: { gceServiceAccount } }), signal)).toEqual(told);
  }
  give('roles/storage.objectViewer', DEFAULT_ACCOUNT, {
    title: 'logs',
    expression: 'resource.name.startsWith("logs")',
  });
  expect(await checkStore(cloud(), signal)).toEqual(told);
});

const KEY = 'projects/acme/locations/us-east1/keyRings/kops/cryptoKeys/state';
const accounts = ['control-plane', 'node'].map(
  (name) => `serviceAccount:${name}-demo-example-com@acme.iam.gserviceaccount.com`,
);
const [controlPlane = '', node = ''] = accounts;

interface Binding {
  readonly role: string;
  readonly members: readonly string[];
  readonly condition?: object;
}
type Policies = Readonly<Record<string, readonly Binding[]>>;

/** The roles that pruning, or deleting the whole cluster, would remove. */
async function ownedMemberships(everything: boolean): Promise<readonly string[]> {
  const gce = cloud();
  const cluster = {
    ...gce.cluster,
    metadata: { ...gce.cluster.metadata, annotations: { 'kopsctl.io/state-key': KEY } },
  };
  const handlers = [projectMemberHandler, bucketMemberHandler, keyMemberHandler];
  const env = { gce: { ...gce, cluster, everything } };
  const lists = await Promise.all(handlers.map(async (handler) => (await handler.listOwned?.(env, signal)) ?? []));
  return lists.flat().map(({ description }) => description.replaceAll('@acme.iam.gserviceaccount.com', ''));
}

test('pruning leaves the roles that others gave the accounts of the cluster, deleting it takes all', async () => {
  const limited = (title: string) => ({ title, expression: 'resource.name.startsWith("x")' });
  const made: Policies = {
    'projects/acme': [{ role: 'roles/container.serviceAgent', members: [controlPlane] }],
    [`buckets/${BUCKET}`]: [
      { role: 'roles/storage.legacyBucketReader', members: [controlPlane] },
      { role: 'roles/storage.objectViewer', members: [controlPlane], condition: limited('control-plane-reads') },
      { role: 'roles/storage.objectViewer', members: [node], condition: limited('node-reads') },
      // Of kops.
      { role: 'roles/storage.objectAdmin', members: [controlPlane] },
      { role: 'roles/storage.objectViewer', members: [node] },
      // Of an account that is gone.
      { role: 'roles/storage.admin', members: [`deleted:${node}?uid=101`] },
    ],
    'keys/us-east1/kops/state': [{ role: 'roles/cloudkms.cryptoKeyDecrypter', members: [controlPlane] }],
  };
  const given: Policies = {
    'projects/acme': [
      { role: 'roles/container.serviceAgent', members: [node] },
      { role: 'roles/artifactregistry.reader', members: [controlPlane, node] },
    ],
    [`buckets/${BUCKET}`]: [
      { role: 'roles/storage.objectAdmin', members: [node] },
      { role: 'roles/storage.objectViewer', members: [node], condition: limited('charts') },
    ],
    'keys/us-east1/kops/state': [{ role: 'roles/cloudkms.viewer', members: [controlPlane] }],
  };
  for (const [owner, bindings] of Object.entries(made)) {
    const all = [...bindings, ...(given[owner] ?? [])];
    google.policies.policies.set(owner, { version: 3, bindings: all, etag: 'first' });
  }
  const described = (policies: Policies) =>
    Object.values(policies)
      .flat()
      .flatMap(({ role, members }) =>
        members.map((member) => `${role} of ${member.replace('@acme.iam.gserviceaccount.com', '')}`),
      )
      .toSorted();
  const withoutPlace = (one: string) => one.replace(/ in the .*$/, '');
  expect((await ownedMemberships(false)).map(withoutPlace).toSorted()).toEqual(described(made));
  const all = [...described(made), ...described(given)].toSorted();
  expect((await ownedMemberships(true)).map(withoutPlace).toSorted()).toEqual(all);
});
