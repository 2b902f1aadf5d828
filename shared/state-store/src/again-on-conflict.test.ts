import { expect, test } from 'vitest';
import { againOnConflict } from './again-on-conflict.ts';
import { ifUnchanged } from './condition.ts';
import { createMemoryStore } from './memory.ts';
import { ConflictError, type StateStore } from './store.ts';

const PATH = 'demo/counter';

const countIn = async (
  store: StateStore,
): Promise<{ readonly count: number; readonly version: string | undefined }> => {
  const stored = await store.read(PATH);
  return { count: Number(new TextDecoder().decode(stored?.bytes)), version: stored?.version };
};

const addOne = (store: StateStore, between = async (): Promise<void> => undefined, maxConflicts?: number) =>
  againOnConflict(async () => {
    const { count, version } = await countIn(store);
    await between();
    await store.write(PATH, new TextEncoder().encode(String(count + 1)), ifUnchanged(version));
    return count + 1;
  }, maxConflicts);

test('nothing is lost where several change an object at the same time', async () => {
  const store = createMemoryStore();
  const results = await Promise.all(Array.from({ length: 8 }, () => addOne(store)));
  expect(results.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect((await countIn(store)).count).toBe(8);
});

test.each([
  [undefined, 11],
  [2, 3],
])('where others are always faster, it ends after its last attempt (at most %s conflicts)', async (max, attempts) => {
  const store = createMemoryStore();
  let attempted = 0;
  const beaten = addOne(
    store,
    async () => {
      attempted += 1;
      await addOne(store);
    },
    max,
  );
  await expect(beaten).rejects.toThrow(ConflictError);
  expect(attempted).toBe(attempts);
  expect((await countIn(store)).count).toBe(attempts);
});

test('what is not a conflict is not tried again', async () => {
  let attempted = 0;
  const failing = againOnConflict(async () => {
    attempted += 1;
    throw new Error('the store is away');
  });
  await expect(failing).rejects.toThrow('the store is away');
  expect(attempted).toBe(1);
});
