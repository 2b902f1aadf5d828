import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { readOnce } from '@kopsctl/state-store/read-once.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test, vi } from 'vitest';
import { recordedHashes } from '../hashes/recorded-hashes.ts';
import { keysetStates } from '../keys/keyset-states.ts';
import { listSshPublicKeys } from '../keys/list-keys.ts';
import { secretHashes } from '../keys/secret-hashes.ts';
import { appliedSpec } from './applied-spec.ts';
import { instanceGroupFolder } from './object-paths.ts';
import { readOrigin } from './origin.ts';
import { readAhead } from './read-ahead.ts';

const NAME = 'demo.example.com';
const { signal } = new AbortController();

const OBJECTS = {
  config: 'kind: Cluster',
  'cluster.spec': 'spec: {kubernetesVersion: 1.32.0}',
  'pki/private/service-account/keyset.yaml': 'a private half',
};

/** A view of a store that holds a cluster, and what ends its connection, or restores it. */
async function storeThatMayBeAway() {
  const kept = createMemoryStore();
  for (const [path, text] of Object.entries(OBJECTS)) {
    await kept.write(`${NAME}/${path}`, Buffer.from(text), { ifAbsent: true });
  }
  const connection = { isAway: false };
  const ask = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (connection.isAway) throw new Error('the store is away');
    return answer();
  };
  const view: StateStore = readOnce({
    ...kept,
    read: (path) => ask(() => kept.read(path)),
    list: (prefix) => ask(() => kept.list(prefix)),
  });
  return { view, connection };
}

const readAll = (store: StateStore) =>
  Promise.all([
    ...Object.keys(OBJECTS).map((path) => store.read(`${NAME}/${path}`)),
    readOrigin(store, NAME),
    appliedSpec(store, NAME, signal),
    store.list(instanceGroupFolder(NAME)),
    recordedHashes(store, NAME),
    secretHashes(store, NAME),
    listSshPublicKeys(store, NAME),
  ]);

test('what was read ahead is there when the store is not', async () => {
  const { view, connection } = await storeThatMayBeAway();
  const read = vi.spyOn(view, 'read');
  readAhead(view, NAME, signal);
  await vi.waitFor(
    () => expect(read.mock.calls.map(([path]) => path)).toContain(`${NAME}/pki/private/service-account/keyset.yaml`),
    5000,
  );
  await Promise.allSettled(read.mock.results.map(({ value }) => value));
  connection.isAway = true;
  const [config] = await readAll(view);
  expect(config).toMatchObject({ bytes: new Uint8Array(Buffer.from(OBJECTS.config)) });
  await expect(keysetStates(view, NAME)).rejects.toThrow('the store is away');
});

test('a store that could not be read ahead is read when it is back', async () => {
  const { view, connection } = await storeThatMayBeAway();
  connection.isAway = true;
  readAhead(view, NAME, signal);
  await expect(readAll(view)).rejects.toThrow('the store is away');
  connection.isAway = false;
  expect(await readAll(view)).toHaveLength(9);
});
