import { expect, test } from 'vitest';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { readChange, writeChange } from './change-record.ts';

const signal = new AbortController().signal;
const PATH = 'demo/backups/etcd/main';
const change = (epoch: number) => ({ epoch, process: `of ${epoch}`, change: 'remove c' });

test('what an earlier leader decided cannot be recorded once a later one has sealed the record', async () => {
  const store = createMemoryStore();
  const before = await readChange(store, PATH, signal);
  const sealed = await writeChange(store, PATH, change(2), before, signal);
  await expect(writeChange(store, PATH, change(1), before, signal)).rejects.toThrow(ConflictError);
  expect(await readChange(store, PATH, signal)).toEqual(sealed);
});

test('a removal that was begun is known to the next leader, and a version that was replaced never comes back', async () => {
  const store = createMemoryStore();
  const removal = { id: '7', member: 'c' };
  const first = await writeChange(
    store,
    PATH,
    { ...change(1), removal },
    await readChange(store, PATH, signal),
    signal,
  );
  const second = await writeChange(store, PATH, { ...change(1), removal }, first, signal);
  expect(second.version).not.toBe(first.version);
  expect(await readChange(store, PATH, signal)).toMatchObject({ epoch: 1, removal });
});

test('a damaged record is of no term, so the next leader seals it', async () => {
  const store = createMemoryStore();
  await store.write(`${PATH}/control/change.json`, Buffer.from('{"epoch":3,"remo'), { ifAbsent: true });
  const found = await readChange(store, PATH, signal);
  expect(found.epoch).toBeUndefined();
  await writeChange(store, PATH, change(4), found, signal);
  expect((await readChange(store, PATH, signal)).epoch).toBe(4);
});
