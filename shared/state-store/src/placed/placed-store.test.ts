import { expect, test } from 'vitest';
import { createMemoryStore } from '../memory.ts';
import { describeStateStore } from '../testing/conformance.ts';
import { openPlaced } from './placed-store.ts';

const bytes = (text: string) => Buffer.from(text);
const paths = (entries: readonly { readonly path: string }[]) => entries.map(({ path }) => path);

function placed() {
  const own = createMemoryStore({ url: 'memory://own' });
  const keys = createMemoryStore({ url: 'memory://keys' });
  const opened: string[] = [];
  const store = openPlaced(own, {
    placesOf: async (cluster) => (cluster === 'demo' ? [{ folder: 'demo/pki', url: 'memory://keys' }] : []),
    open: async (url) => {
      opened.push(url);
      return keys;
    },
  });
  return { own, keys, store, opened };
}

describeStateStore('a store with folders elsewhere', async () => {
  const elsewhere = createMemoryStore();
  const store = openPlaced(createMemoryStore(), {
    placesOf: async (cluster) => [{ folder: `${cluster}/secrets`, url: 'memory://' }],
    open: async () => elsewhere,
  });
  return { store, another: store, close: async () => undefined };
});

test('what lies elsewhere is written and read there, and nothing else is', async () => {
  const { own, keys, store, opened } = placed();
  await store.write('demo/pki/private/ca/keyset.yaml', bytes('ca'), { ifAbsent: true });
  await store.write('demo/config', bytes('spec'), { ifAbsent: true });
  await store.write('other/pki/private/ca/keyset.yaml', bytes('its own'), { ifAbsent: true });

  expect(paths(await keys.list(''))).toEqual(['private/ca/keyset.yaml']);
  expect(paths(await own.list(''))).toEqual(['demo/config', 'other/pki/private/ca/keyset.yaml']);
  expect((await store.read('demo/pki/private/ca/keyset.yaml'))?.bytes).toEqual(new Uint8Array(bytes('ca')));
  expect(opened).toEqual(['memory://keys']);
});

test('a list names it by the paths that it stands for, and hides what it replaces', async () => {
  const { own, keys, store } = placed();
  await own.write('demo/pki/private/forgotten/keyset.yaml', bytes('old'), { ifAbsent: true });
  await keys.write('private/ca/keyset.yaml', bytes('ca'), { ifAbsent: true });

  expect(paths(await store.list('demo/pki'))).toEqual(['demo/pki/private/ca/keyset.yaml']);
  expect(paths(await store.list('demo/pki/private/'))).toEqual(['demo/pki/private/ca/keyset.yaml']);
});

test('the list of a whole cluster leaves it out, so that whoever deletes that deletes nothing elsewhere', async () => {
  const { keys, store } = placed();
  await keys.write('private/ca/keyset.yaml', bytes('shared'), { ifAbsent: true });
  await store.write('demo/config', bytes('spec'), { ifAbsent: true });

  expect(paths(await store.list('demo'))).toEqual(['demo/config']);
  expect(paths(await store.list(''))).toEqual(['demo/config']);
});

test('a place that could not be opened is opened again', async () => {
  let isThere = false;
  const store = openPlaced(createMemoryStore(), {
    placesOf: async () => [{ folder: 'demo/secrets', url: 's3://gone' }],
    open: async () => {
      if (!isThere) throw new Error('no such bucket');
      return createMemoryStore();
    },
  });
  await expect(store.read('demo/secrets/key')).rejects.toThrow('no such bucket');
  isThere = true;
  expect(await store.read('demo/secrets/key')).toBeUndefined();
});
