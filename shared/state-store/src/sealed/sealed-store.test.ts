import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { createMemoryStore } from '../memory.ts';
import type { StateStore } from '../store.ts';
import { describeStateStore } from '../testing/conformance.ts';
import { newIdentity } from '../testing/new-identity.ts';
import { ageKey } from './age-key.ts';
import { AS_IT_IS, openSealed, type Sealing } from './sealed-store.ts';

const CA = 'demo.example.com/pki/private/kubernetes-ca/keyset.yaml';
const KEYSET = Buffer.from('kind: Keyset\n# very secret\n');

let inner: StateStore;
let mine: string;
let theirs: string;
let recipient: string;
let other: string;

beforeEach(async () => {
  inner = createMemoryStore();
  ({ identity: mine, recipient } = await newIdentity());
  ({ identity: theirs, recipient: other } = await newIdentity());
});

/** The store as somebody with this identity sees it. */
const as = (identity: string, sealing: Sealing = 'as it is'): StateStore =>
  openSealed(inner, {
    openKey: async (name) => ageKey(name, async () => [identity]),
    sealingOf: async () => sealing,
  });

const textAt = async (store: StateStore, path: string): Promise<string> =>
  Buffer.from((await store.read(path))?.bytes ?? []).toString();

describeStateStore('sealed', async () => {
  const { identity, recipient: name } = await newIdentity();
  const store = openSealed(createMemoryStore(), {
    openKey: async () => ageKey(name, async () => [identity]),
    sealingOf: async () => ({ with: name }),
  });
  return { store, another: store, close: async () => undefined };
});

test('what is sealed can be read with the identity, and its version is that of the envelope', async () => {
  const store = as(mine, { with: recipient });
  const { version } = await store.write(CA, KEYSET, { ifAbsent: true });
  expect(await store.read(CA)).toEqual({ bytes: KEYSET, version, sealedWith: recipient });
  expect((await inner.read(CA))?.version).toBe(version);
  expect(await textAt(inner, CA)).not.toContain('secret');
  const streamed = await store.readStream(CA);
  expect(streamed?.size).toBe(KEYSET.byteLength);
});

test('others are told that they lack the identity, and nothing of the content', async () => {
  await as(mine, { with: recipient }).write(CA, KEYSET, { ifAbsent: true });
  await expect(as(theirs).read(CA)).rejects.toMatchObject({
    name: 'ActionableError',
    message: expect.stringMatching(/cannot open demo\.example\.com\/pki.*none of the identities here/),
    next: expect.stringContaining('KOPSCTL_STATE_IDENTITY'),
  });
});

test('each of several recipients reads', async () => {
  await as(mine, { with: `${recipient},${other}` }).write(CA, KEYSET, { ifAbsent: true });
  expect(await textAt(as(theirs), CA)).toBe(KEYSET.toString());
});

test.each([
  ['another path', 'demo.example.com/pki/private/apiserver-aggregator-ca/keyset.yaml'],
  ['another folder', 'demo.example.com/secrets/kubernetes-ca'],
  ['another cluster', 'other.example.com/pki/private/kubernetes-ca/keyset.yaml'],
])('an envelope that was moved to %s is refused', async (_where, path) => {
  const store = as(mine, { with: recipient });
  await store.write(CA, KEYSET, { ifAbsent: true });
  const stored = await inner.read(CA);
  await inner.write(path, stored?.bytes ?? new Uint8Array(), { ifAbsent: true });
  await expect(store.read(path)).rejects.toThrow(`cannot open ${path} in memory://: it is sealed, and cannot be`);
});

test('an envelope with a changed wrapped key is refused', async () => {
  const store = as(mine, { with: recipient });
  const { version } = await store.write(CA, KEYSET, { ifAbsent: true });
  const envelope: { wrappedKey: string } = JSON.parse(await textAt(inner, CA));
  const wrapped = Buffer.from(envelope.wrappedKey, 'base64');
  wrapped.writeUInt8(wrapped.readUInt8(wrapped.length - 1) ^ 1, wrapped.length - 1);
  const changed = `${JSON.stringify({ ...envelope, wrappedKey: wrapped.toString('base64') })}\n`;
  await inner.write(CA, Buffer.from(changed), { ifVersion: version });
  await expect(store.read(CA)).rejects.toMatchObject({ name: 'ActionableError' });
});

test('an object in the clear is read as it is, and sealed when it is written', async () => {
  const { version } = await inner.write(CA, KEYSET, { ifAbsent: true });
  const store = as(mine, { with: recipient });
  expect(await store.read(CA)).toMatchObject({ version, bytes: new Uint8Array(KEYSET) });
  await store.write(CA, KEYSET, { ifVersion: version });
  expect((await store.read(CA))?.sealedWith).toBe(recipient);
});

test('a person who does not decide about the key keeps the one that is there', async () => {
  const keeper = openSealed(inner, {
    openKey: async (name) => ageKey(name, async () => [mine]),
    sealingOf: AS_IT_IS,
  });
  const sealed = await as(mine, { with: recipient }).write(CA, KEYSET, { ifAbsent: true });
  await keeper.write(CA, Buffer.from('changed'), { ifVersion: sealed.version });
  expect(await keeper.read(CA)).toMatchObject({ bytes: Buffer.from('changed'), sealedWith: recipient });

  const clear = await inner.write('demo.example.com/secrets/a', KEYSET, { ifAbsent: true });
  const chunks = Readable.from([Buffer.from('x')]);
  await keeper.writeStream('demo.example.com/secrets/a', chunks, { ifVersion: clear.version });
  expect(await textAt(inner, 'demo.example.com/secrets/a')).toBe('x');
});

test('of two writers that read the same version one wins', async () => {
  const store = as(mine, { with: recipient });
  const { version } = await store.write(CA, KEYSET, { ifAbsent: true });
  const races = await Promise.allSettled(
    ['a', 'b', 'c'].map((text) => store.write(CA, Buffer.from(text), { ifVersion: version })),
  );
  expect(races.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a cluster that gives up its key has its objects written in the clear', async () => {
  const { version } = await as(mine, { with: recipient }).write(CA, KEYSET, { ifAbsent: true });
  await as(mine, 'in the clear').write(CA, KEYSET, { ifVersion: version });
  expect(await textAt(inner, CA)).toBe(KEYSET.toString());
});

test('other objects of the cluster pass through', async () => {
  await as(mine, { with: recipient }).write('demo.example.com/config', KEYSET, { ifAbsent: true });
  expect(await textAt(inner, 'demo.example.com/config')).toBe(KEYSET.toString());
});

test('an identity with a wrong checksum is not quoted', async () => {
  await as(mine, { with: recipient }).write(CA, KEYSET, { ifAbsent: true });
  const wrong = `${mine.slice(0, -1)}${mine.endsWith('Q') ? 'P' : 'Q'}`;
  const error: unknown = await as(wrong)
    .read(CA)
    .catch((thrown: unknown) => thrown);
  let cause = error;
  while (cause instanceof Error) {
    expect(cause.message.toUpperCase()).not.toContain('AGE-SECRET-KEY-1');
    cause = cause.cause;
  }
  expect(String(error)).toContain('wrong checksum');
});
