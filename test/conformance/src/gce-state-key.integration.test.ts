import { deepEqual } from 'node:assert/strict';
import { gceNode } from '@kopsctl/clouds/gce/node/node-part.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import type { OpenStateKey, StateKey } from '@kopsctl/state-store/sealed/state-key.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { metadataOf, serveGceMetadata } from './gce-machine.ts';
import { type GoogleServer, startGoogle } from './google-server.ts';
import type { TestServer } from './serve-test-server.ts';

const KEY = 'projects/testproject/locations/global/keyRings/kops/cryptoKeys/state';
const OBJECT = { cluster: 'demo.example.com', path: 'pki/private/kubernetes-ca/keyset.yaml' };
const CA = `${OBJECT.cluster}/${OBJECT.path}`;
const MACHINE = { project: 'testproject', zone: 'us-test1-a', name: 'cp-1', address: '10.0.0.2', token: 'token' };

let google: GoogleServer;
let metadata: TestServer;
let openKey: OpenStateKey;
let key: StateKey;

beforeAll(async () => {
  [google, metadata] = await Promise.all([startGoogle(), serveGceMetadata(metadataOf(MACHINE))]);
  google.keys.make(KEY);
  const env = { GCE_METADATA_HOST: metadata.url, CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS: google.url };
  openKey = gceNode.openStateKeys?.(env) ?? (() => Promise.reject(new Error('GCE has no keys')));
  key = await openKey(KEY, undefined);
});
// Every request and every answer has to be of the form that Google publishes.
afterEach(() => {
  google.keys.damagesAnswers = false;
  deepEqual(google.violations, []);
});
afterAll(() => Promise.all([google.stop(), metadata.stop()]));

const dataKey = Buffer.alloc(32, 7);

test('a machine opens what it wrapped, with the rights of its service account', async () => {
  const wrapped = await key.wrap(dataKey, OBJECT, undefined);
  expect(Buffer.from(wrapped).includes(dataKey)).toBe(false);
  expect(Buffer.from(await key.unwrap(wrapped, OBJECT, undefined))).toEqual(dataKey);
  expect(await openKey(KEY, undefined)).toBe(key);
});

test.each([
  ['another path', { ...OBJECT, path: 'secrets/gossip-key' }],
  ['another cluster', { ...OBJECT, cluster: 'other.example.com' }],
])('what was wrapped for %s is refused', async (_what, object) => {
  const wrapped = await key.wrap(dataKey, object, undefined);
  await expect(key.unwrap(wrapped, OBJECT, undefined)).rejects.toThrow(/sealed for another path, cluster or key/);
});

test('a key that is not there is named, with the role that is needed', async () => {
  const missing = await openKey(`${KEY}-2`, undefined);
  await expect(missing.wrap(dataKey, OBJECT, undefined)).rejects.toMatchObject({
    message: expect.stringContaining(`seal ${OBJECT.path} with ${KEY}-2: Google answered 404`),
    next: expect.stringContaining('roles/cloudkms.cryptoKeyEncrypter'),
  });
});

test('what was damaged on its way is neither stored nor opened', async () => {
  const wrapped = await key.wrap(dataKey, OBJECT, undefined);
  google.keys.damagesAnswers = true;
  await expect(key.wrap(dataKey, OBJECT, undefined)).rejects.toThrow('was damaged in transit');
  await expect(key.unwrap(wrapped, OBJECT, undefined)).rejects.toThrow('was damaged in transit');
});

test.each([
  `${KEY}:decrypt`,
  `${KEY}/../../../../../v1/projects`,
  'https://evil.example.com/projects/testproject/locations/global/keyRings/kops/cryptoKeys/state',
  'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
])('a name in the store that is not a key is refused before anything is asked: %s', async (name) => {
  await expect(openKey(name, undefined)).rejects.toThrow(`cannot open what is sealed with "${name}"`);
});

test('an envelope that was moved is refused by Google', async () => {
  const inner = createMemoryStore();
  const store = openSealed(inner, { openKey, sealingOf: async () => ({ with: KEY }) });
  await store.write(CA, Buffer.from('keyset'), { ifAbsent: true });
  expect(Buffer.from((await store.read(CA))?.bytes ?? []).toString()).toBe('keyset');
  const moved = 'other.example.com/pki/private/kubernetes-ca/keyset.yaml';
  await inner.write(moved, (await inner.read(CA))?.bytes ?? new Uint8Array(), { ifAbsent: true });
  await expect(store.read(moved)).rejects.toThrow(/sealed for another path, cluster or key/);
});
