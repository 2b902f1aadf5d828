import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { pendingPair, withPair } from '@kopsctl/pki/keyset-changes.ts';
import { publishedKeysetPath, readKeyset, writeKeyset } from '@kopsctl/pki/keyset-store.ts';
import { trustingPredecessor } from '@kopsctl/pki/succession.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { changeKeyset, chooseKeysets } from './change-keyset.ts';
import { keysetStates } from './keyset-states.ts';
import { newPair } from './new-pair.ts';

const SIGNAL = new AbortController().signal;
const NOW = Date.parse('2026-11-21T12:00:00Z');

async function storeWith(...names: readonly string[]) {
  const store = createMemoryStore();
  for (const name of names) {
    const keyset = await createCertificateAuthority({ commonName: name, nowMs: NOW });
    await writeKeyset(store, 'demo', { ...keyset, name }, undefined);
  }
  return store;
}

test('a change is stored and its public half published, without the private key', async () => {
  const store = await storeWith('kubernetes-ca');
  const added = await newPair('kubernetes-ca', {}, { nowMs: NOW + 1, env: {} });
  await changeKeyset(store, 'demo', 'kubernetes-ca', (keyset) => withPair(keyset, added, false), SIGNAL);
  const found = await readKeyset(store, 'demo', 'kubernetes-ca');
  expect(found && pendingPair(found.keyset)?.id).toBe(added.id);
  const published = await store.read(publishedKeysetPath('demo', 'kubernetes-ca'));
  const text = new TextDecoder().decode(published?.bytes);
  expect(text).toContain(added.id);
  expect(text).not.toContain('privateMaterial');
});

test('a change that was cut short before its public half was written is completed by the next one', async () => {
  const store = await storeWith('kubernetes-ca');
  await changeKeyset(store, 'demo', 'kubernetes-ca', (keyset) => keyset, SIGNAL);
  expect(await store.read(publishedKeysetPath('demo', 'kubernetes-ca'))).toBeDefined();
});

test('`all` is every keyset that can be rotated, and one that is not there is refused by name', async () => {
  const store = await storeWith('kubernetes-ca', 'service-account', 'kubelet');
  expect(await chooseKeysets(store, 'demo', 'all')).toEqual(['kubernetes-ca', 'service-account']);
  expect(await chooseKeysets(store, 'demo', 'ca')).toEqual(['kubernetes-ca']);
  await expect(chooseKeysets(store, 'demo', 'kubelet')).rejects.toThrow('there are kubernetes-ca, service-account');
});

test('a keyset that is as it was created has no state, so that plans made before and after are equal', async () => {
  const store = await storeWith('kubernetes-ca');
  await changeKeyset(store, 'demo', 'kubernetes-ca', (keyset) => keyset, SIGNAL);
  expect(await keysetStates(store, 'demo')).toEqual({});
  const added = await newPair('kubernetes-ca', {}, { nowMs: NOW + 1, env: {} });
  await changeKeyset(store, 'demo', 'kubernetes-ca', (keyset) => withPair(keyset, added, false), SIGNAL);
  expect(Object.keys(await keysetStates(store, 'demo'))).toEqual(['kubernetes-ca']);
});

test('the state of a keyset is the same before and after its public half is published, as after kops', async () => {
  const store = await storeWith('kubernetes-ca');
  const kept = await readKeyset(store, 'demo', 'kubernetes-ca');
  const added = await newPair('kubernetes-ca', {}, { nowMs: NOW + 1, env: {} });
  if (kept !== undefined) await writeKeyset(store, 'demo', withPair(kept.keyset, added, false), kept);
  const before = await keysetStates(store, 'demo');
  expect(Object.keys(before)).toEqual(['kubernetes-ca']);
  await changeKeyset(store, 'demo', 'kubernetes-ca', (keyset) => keyset, SIGNAL);
  expect(await keysetStates(store, 'demo')).toEqual(before);
});

test('a keyset that was created with the certificates of another has no state either', async () => {
  const store = await storeWith('kubernetes-ca');
  const predecessor = await readKeyset(store, 'demo', 'kubernetes-ca');
  const own = await createCertificateAuthority({ commonName: 'kubelet-serving-ca', nowMs: NOW });
  const keyset = { ...own, name: 'kubelet-serving-ca' };
  if (predecessor !== undefined)
    await writeKeyset(store, 'demo', trustingPredecessor(keyset, predecessor.keyset), undefined);
  expect(await keysetStates(store, 'demo')).toEqual({});
});
