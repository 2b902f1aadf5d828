import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { storeWithChanges } from './store-with-changes.ts';

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

async function stored() {
  const store = createMemoryStore({ url: 'memory://s' });
  await store.write('demo/config', Buffer.from('old'), { ifAbsent: true });
  await store.write('demo/instancegroup/b', Buffer.from('b'), { ifAbsent: true });
  await store.write('other/config', Buffer.from('other'), { ifAbsent: true });
  const changed = storeWithChanges(store, [
    { path: 'demo/config', text: 'new' },
    { path: 'demo/instancegroup/a', text: 'a' },
  ]);
  return { store, changed };
}

test('Reads what is going to be stored, and else what is stored', async () => {
  const { store, changed } = await stored();
  expect(text((await changed.read('demo/config'))?.bytes)).toBe('new');
  expect(text((await changed.read('other/config'))?.bytes)).toBe('other');
  expect(await changed.read('none')).toBeUndefined();
  expect(text((await store.read('demo/config'))?.bytes)).toBe('old');
  const chunks: string[] = [];
  for await (const chunk of (await changed.readStream('demo/config'))?.chunks ?? []) chunks.push(text(chunk) ?? '');
  expect(chunks).toEqual(['new']);
});

test('Lists both, each object once and in the order of a store', async () => {
  const { changed } = await stored();
  const paths = async (prefix: string) => (await changed.list(prefix)).map(({ path }) => path);
  expect(await paths('demo')).toEqual(['demo/config', 'demo/instancegroup/a', 'demo/instancegroup/b']);
  expect(await paths('demo/instancegroup')).toEqual(['demo/instancegroup/a', 'demo/instancegroup/b']);
  expect(await paths('')).toHaveLength(4);
});

test('Takes no write', async () => {
  const { changed } = await stored();
  await expect(changed.write('demo/x', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow('cannot be written');
  await expect(changed.delete('demo/config')).rejects.toThrow('cannot be written');
});
