import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { bringBack } from './bring-back.ts';

const CLUSTER = 'demo.example.com';
const NOW = new Map([
  ['config', 'b'],
  ['instancegroup/nodes', 'y'],
  ['instancegroup/new', 'n'],
]);
const WANTED = new Map([
  ['config', 'a'],
  ['instancegroup/nodes', 'x'],
]);
const EARLIER = { cluster: CLUSTER, paths: [...NOW.keys()], now: NOW, wanted: WANTED, point: '4' };
const NEXT = `\`kopsctl undo ${CLUSTER} --to 4 --yes\``;

async function filled(texts: ReadonlyMap<string, string>): Promise<StateStore> {
  const store = createMemoryStore();
  for (const [path, text] of texts) {
    await store.write(`${CLUSTER}/${path}`, new TextEncoder().encode(text), { ifAbsent: true });
  }
  return store;
}

async function textsIn(store: StateStore): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path } of await store.list('')) {
    const stored = await store.read(path);
    texts.set(path.slice(CLUSTER.length + 1), new TextDecoder().decode(stored?.bytes));
  }
  return texts;
}

test('Objects are written, and those that there were not are deleted', async () => {
  const store = await filled(NOW);
  await bringBack(store, EARLIER);
  expect(await textsIn(store)).toEqual(WANTED);
});

test('Nothing is written where somebody changed any of the objects', async () => {
  const changed = new Map([...NOW, ['instancegroup/nodes', 'z']]);
  const store = await filled(changed);
  await expect(bringBack(store, EARLIER)).rejects.toMatchObject({
    message: expect.stringContaining('somebody changed it meanwhile (nothing was changed)'),
    next: expect.stringContaining(NEXT),
  });
  expect(await textsIn(store)).toEqual(changed);
});

test('What was done in part goes on to the same point', async () => {
  const store = await filled(NOW);
  const breaking: StateStore = {
    ...store,
    write: async (path, ...rest) => {
      if (path.endsWith('/nodes')) throw new Error('connection reset');
      return store.write(path, ...rest);
    },
  };
  await expect(bringBack(breaking, EARLIER)).rejects.toMatchObject({
    message: expect.stringContaining('connection reset (already brought back: config)'),
    next: expect.stringContaining(NEXT),
  });
});
