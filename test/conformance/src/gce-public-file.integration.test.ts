import { deepEqual } from 'node:assert/strict';
import type { GceCloud } from '@kopsctl/clouds/gce/control/handlers/gce-cloud.ts';
import { publicFileHandler } from '@kopsctl/clouds/gce/control/handlers/public-file.ts';
import type { PropsOf } from '@kopsctl/clouds/gce/control/kinds/gce-kinds.ts';
import { KNOWN_AFTER_APPLY, type Step } from '@kopsctl/tasks/task.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cloudAt } from './cloud-at-google-server.ts';
import type { StoredObject } from './google-objects.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';

const BUCKET = 'issuer';
const PROPS: PropsOf<'gce/PublicFile'> = {
  bucket: BUCKET,
  name: 'demo/.well-known/openid-configuration',
  content: '{"issuer":"ünïversal"}\n',
  contentType: 'application/json',
  cacheControl: 'no-cache',
  isReadInPlace: true,
};
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

const env = (): { readonly gce: GceCloud } => ({ gce: cloudAt(google) });

/** What would be done, now. */
async function planned(props = PROPS): Promise<readonly Step[]> {
  const found = await publicFileHandler.find('discovery.json', props, env(), signal);
  return publicFileHandler.plan('discovery.json', props, found);
}

async function firstStep(props = PROPS): Promise<Step> {
  const [step] = await planned(props);
  if (step === undefined) throw new Error('nothing would be done');
  return step;
}

const apply = (step: Step, props = PROPS): Promise<void> =>
  publicFileHandler.apply(step, 'discovery.json', props, env(), signal);

async function converge(props = PROPS): Promise<void> {
  for (const step of await planned(props)) await apply(step, props);
  expect(await planned(props)).toEqual([]);
}

const PATH = `${BUCKET}/${PROPS.name}`;
const stored = () => google.objects.stored.get(PATH);

/** Changes the stored file behind its back. */
function harm(change: Partial<StoredObject>): void {
  const before = stored();
  if (before === undefined) throw new Error('there is no file');
  google.objects.stored.set(PATH, { ...before, ...change });
}

function letRead(member: string, role = 'roles/storage.objectViewer'): void {
  google.policies.policies.set(`buckets/${BUCKET}`, { version: 3, bindings: [{ role, members: [member] }], etag: '1' });
}

test('a file in a public bucket is written once, and again only where its content differs', async () => {
  letRead('allUsers');
  expect(await planned()).toEqual([
    { action: 'create', summary: 'create file discovery.json (gs://issuer/demo/.well-known/openid-configuration)' },
  ]);
  expect(google.changes).toEqual([]);
  await converge();
  expect(stored()).toMatchObject({
    content: { type: 'application/json', text: PROPS.content },
    cacheControl: 'no-cache',
  });
  expect(google.changes).toEqual(['storage.objects.insert']);

  const changed = { ...PROPS, content: '{}\n' };
  expect(await planned(changed)).toMatchObject([{ action: 'update', changes: [{ path: 'md5' }] }]);
  expect(await planned({ ...PROPS, content: KNOWN_AFTER_APPLY })).toMatchObject([
    { changes: [{ path: 'md5', to: KNOWN_AFTER_APPLY }] },
  ]);
  await converge(changed);
  expect(stored()?.content.text).toBe('{}\n');
});

test('where objects have lists of readers, the file gets one, and gets it back', async () => {
  google.policies.buckets.set(BUCKET, { isUniform: false });
  await converge();
  expect(stored()?.acl).toContainEqual({ entity: 'allUsers', role: 'READER' });

  harm({ acl: [] });
  expect(await planned()).toMatchObject([{ changes: [{ path: 'isPublic', from: false, to: true }] }]);
  await converge();
  expect(stored()?.acl).toContainEqual({ entity: 'allUsers', role: 'READER' });
});

test('a file that caches keep for an hour, as kops leaves it, is written again', async () => {
  letRead('allUsers');
  await converge();
  harm({ cacheControl: undefined });
  expect(await planned()).toMatchObject([{ changes: [{ path: 'cacheControl', to: 'no-cache' }] }]);
  await converge();
});

test('where its policy makes the bucket public, the file gets no list', async () => {
  google.policies.buckets.set(BUCKET, { isUniform: false });
  letRead('allUsers', 'roles/storage.legacyObjectReader');
  await converge();
  expect(stored()?.acl).not.toContainEqual(expect.objectContaining({ entity: 'allUsers' }));
});

test('behind a server of the user, who may read the file stays as it is', async () => {
  const props = { ...PROPS, isReadInPlace: false };
  await converge(props);
  google.policies.buckets.set(BUCKET, { isUniform: false });
  await converge({ ...props, content: '{}\n' });
  expect(stored()?.acl).not.toContainEqual(expect.objectContaining({ entity: 'allUsers' }));
});

test.each([
  ['projectViewer:acme', 'roles/storage.objectViewer'],
  ['allUsers', 'roles/storage.objectCreator'],
])('a bucket that gives %s the role %s alone is not public, which a command mends', async (member, role) => {
  letRead(member, role);
  await expect(planned()).rejects.toMatchObject({
    message: expect.stringContaining('does not let everybody do so'),
    next: 'gcloud storage buckets add-iam-policy-binding gs://issuer --member=allUsers --role=roles/storage.objectViewer',
  });
});

test('a bucket that prevents public access is named, whoever set that', async () => {
  letRead('allUsers');
  google.policies.buckets.set(BUCKET, { isUniform: true, preventsPublicAccess: 'itself' });
  const prevented = { name: 'PermanentError', message: expect.stringContaining('public access prevention keeps out') };
  await expect(planned()).rejects.toMatchObject(prevented);

  google.policies.policies.clear();
  google.policies.buckets.set(BUCKET, { isUniform: false, preventsPublicAccess: 'organization' });
  await expect(firstStep().then((step) => apply(step))).rejects.toMatchObject(prevented);
  expect(stored()).toBeUndefined();
});

test.each([true, false])('a bucket that is not there is named (read in place: %s)', async (isReadInPlace) => {
  const props = { ...PROPS, bucket: 'none', isReadInPlace };
  await expect(firstStep(props).then((step) => apply(step, props))).rejects.toMatchObject({
    name: 'PermanentError',
    message: 'cannot use the bucket none: there is no such bucket',
  });
});

test('a file whose answer was lost is written once', async () => {
  letRead('allUsers');
  const step = await firstStep();
  google.loseAnswers(1);
  // The repeated request finds the file there; the engine then looks again.
  await expect(apply(step)).rejects.toMatchObject({ status: 412 });
  expect(google.changes).toEqual(['storage.objects.insert']);
  expect(await planned()).toEqual([]);
});
