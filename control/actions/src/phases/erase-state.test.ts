import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { eraseState } from './erase-state.ts';

const ROLL_LOCK = 'manifests/kopsctl/rolling-update.lock';
const PATHS = ['config', 'instancegroup/nodes', 'lock', ROLL_LOCK, 'pki/private/ca/keyset.yaml', 'secrets/a'];

/** A cluster, and another one beside it whose name begins alike. */
async function storeWith(onDelete: (path: string) => void): Promise<StateStore> {
  const store = createMemoryStore();
  const paths = [...PATHS.map((path) => `demo/${path}`), 'demo-2/config'];
  for (const path of paths) await store.write(path, Buffer.from('x'), { ifAbsent: true });
  return {
    ...store,
    async delete(path) {
      onDelete(path);
      await store.delete(path);
    },
  };
}

const forever = new AbortController().signal;

test('The Cluster goes after all that belongs to it, and the locks last of all', async () => {
  const deleted: string[] = [];
  const store = await storeWith((path) => deleted.push(path));
  await eraseState(store, 'demo', forever);
  expect(deleted.slice(-3)).toEqual(['demo/config', `demo/${ROLL_LOCK}`, 'demo/lock']);
  expect((await store.list('')).map(({ path }) => path)).toEqual(['demo-2/config']);
});

test.each(PATHS)(
  'A deletion that was cut off at %s can be repeated, and keeps the Cluster or nothing but locks',
  async (cutOffAt) => {
    let isCutOff = true;
    const store = await storeWith((path) => {
      if (isCutOff && path === `demo/${cutOffAt}`) throw new Error('the store is away');
    });
    await expect(eraseState(store, 'demo', forever)).rejects.toThrow('the store is away');
    const left = (await store.list('demo')).map(({ path }) => path);
    expect(left.includes('demo/config') || left.every((path) => path.endsWith('lock'))).toBe(true);
    expect(left).toContain('demo/lock');
    isCutOff = false;
    await eraseState(store, 'demo', forever);
    expect(await store.list('demo')).toEqual([]);
  },
);

test('Once the lock is lost, neither it nor the Cluster is deleted', async () => {
  const lost = new AbortController();
  const store = await storeWith(() => lost.abort(new Error('somebody took the lock')));
  await expect(eraseState(store, 'demo', lost.signal)).rejects.toThrow('somebody took the lock');
  expect(await store.read('demo/config')).toBeDefined();
  expect(await store.read('demo/lock')).toBeDefined();
});
