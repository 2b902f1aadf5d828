import { deepEqual } from 'node:assert/strict';
import { DNS } from '@google-cloud/dns';
import { cloudresourcemanager_v1 } from '@googleapis/cloudresourcemanager';
import { iam_v1 } from '@googleapis/iam';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GoogleServer, startGoogle } from './google-server.ts';

const project = 'testproject';
const EMAIL = `control-plane@${project}.iam.gserviceaccount.com`;
const ROLE = 'roles/container.serviceAgent';

/** The client has a library of its own for tokens, whose classes differ from ours; it asks for no more than this. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const HOLDER_OF_A_TOKEN = {
  getProjectId: async () => project,
  getRequestHeaders: async () => new Headers({ authorization: 'Bearer token' }),
} as unknown as NonNullable<NonNullable<ConstructorParameters<typeof DNS>[0]>['authClient']>;

/** As google-compute-client.integration.test.ts: accounts, what they may do in the project, and names. */
describe("Google's own clients of IAM, Resource Manager and Cloud DNS, on the test server", { timeout: 60_000 }, () => {
  let google: GoogleServer;
  const connection = () => ({ headers: { authorization: 'Bearer token' }, rootUrl: `${google.url}/` });
  const iamClient = () => new iam_v1.Iam(connection());
  const projects = () => new cloudresourcemanager_v1.Cloudresourcemanager(connection()).projects;

  beforeAll(async () => {
    google = await startGoogle();
  });
  afterEach(() => deepEqual(google.violations, []));
  afterAll(() => google.stop());

  test('makes an account, reads it, changes its texts, and refuses a second one', async () => {
    const { serviceAccounts } = iamClient().projects;
    const make = () =>
      serviceAccounts.create({
        name: `projects/${project}`,
        requestBody: { accountId: 'control-plane', serviceAccount: { displayName: 'control-plane' } },
      });
    const { data: made } = await make();
    expect(made).toMatchObject({ email: EMAIL, name: `projects/${project}/serviceAccounts/${EMAIL}` });
    await expect(make()).rejects.toMatchObject({ status: 409 });
    const name = `projects/${project}/serviceAccounts/${EMAIL}`;
    await serviceAccounts.patch({
      name,
      requestBody: { serviceAccount: { description: 'changed' }, updateMask: 'description' },
    });
    const { data: read } = await serviceAccounts.get({ name });
    expect(read).toMatchObject({ displayName: 'control-plane', description: 'changed', uniqueId: made.uniqueId });
  });

  test('adds a member to the policy that was read, and to no older one; conditions stay', async () => {
    const resource = project;
    const read = async () => {
      const requestBody = { options: { requestedPolicyVersion: 3 } };
      return (await projects().getIamPolicy({ resource, requestBody })).data;
    };
    const first = await read();
    const others = {
      role: ROLE,
      members: ['user:a@example.com'],
      condition: { title: 'until', expression: 'request.time < timestamp("2027-01-01T00:00:00Z")' },
    };
    const own = { role: ROLE, members: [`serviceAccount:${EMAIL}`] };
    const write = (etag: string | null | undefined, bindings: (typeof own)[]) =>
      projects().setIamPolicy({ resource, requestBody: { policy: { etag: etag ?? null, version: 3, bindings } } });
    await write(first.etag, [others, own]);
    await expect(write(first.etag, [own])).rejects.toMatchObject({ status: 409 });
    expect((await read()).bindings).toEqual([others, own]);
    const stranger = { role: ROLE, members: [`serviceAccount:nobody@${project}.iam.gserviceaccount.com`] };
    await expect(write((await read()).etag, [stranger])).rejects.toMatchObject({ status: 400 });
  });

  test('keeps a member whose account is gone under the name that Google gives it', async () => {
    await iamClient().projects.serviceAccounts.delete({ name: `projects/${project}/serviceAccounts/${EMAIL}` });
    const { data } = await projects().getIamPolicy({ resource: project, requestBody: {} });
    const members = data.bindings?.flatMap((binding) => binding.members ?? []);
    expect(members).toContainEqual(expect.stringMatching(`^deleted:serviceAccount:${EMAIL}\\?uid=\\d+$`));
  });

  test('finds zones and changes records, all of a change or nothing', async () => {
    google.dns.zones.push({ name: 'example', dnsName: 'example.com.', rrsets: [] });
    const dns = new DNS({ projectId: project, authClient: HOLDER_OF_A_TOKEN });
    dns.baseUrl = `${google.url}/dns/v1`;
    const [zones] = await dns.getZones();
    expect(zones.map(({ name, metadata }) => [name, metadata.dnsName])).toEqual([['example', 'example.com.']]);
    const [zone] = zones;
    const record = (data: string) => zone!.record('a', { name: 'api.example.com.', ttl: 60, data });
    await zone!.addRecords(record('192.0.2.1'));
    await expect(zone!.addRecords(record('192.0.2.2'))).rejects.toMatchObject({ code: 409 });
    await zone!.createChange({ delete: record('192.0.2.1'), add: record('192.0.2.3') });
    const [records] = await zone!.getRecords();
    expect(records.map(({ type, metadata }) => [type, metadata.name, metadata.rrdatas])).toEqual([
      ['A', 'api.example.com.', ['192.0.2.3']],
    ]);
    await zone!.deleteRecords(record('192.0.2.3'));
    expect(google.dns.zones[0]?.rrsets).toEqual([]);
  });
});
