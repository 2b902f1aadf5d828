import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { readHistory } from './read-history.ts';
import { recordChanges } from './record-changes.ts';

const AUTHOR = { who: 'ada@desk', command: 'kopsctl edit cluster a', why: 'ticket 7' };
const bytes = (text: string) => new TextEncoder().encode(text);

/** Writes over what is there. */
async function put(store: StateStore, path: string, text: string): Promise<void> {
  const stored = await store.read(path);
  const condition = ifUnchanged(stored?.version);
  await store.write(path, bytes(text), condition);
}

/** Each change with the texts before and after it. */
const recorded = async (store: StateStore) =>
  (await readHistory(store, 'a')).map(({ number, who, objects }) => [
    number,
    who,
    ...objects.map(({ path, before, written }) => `${path}: ${before} -> ${written}`),
  ]);

test('the text before each write is kept, with who wrote and why; a command is one change', async () => {
  const store = createMemoryStore();
  const first = recordChanges(store, AUTHOR);
  await first.write('a/config', bytes('one'), { ifAbsent: true });
  await first.write('a/instancegroup/nodes', bytes('n1'), { ifAbsent: true });
  const second = recordChanges(store, { ...AUTHOR, why: undefined });
  const stored = await store.read('a/config');
  await second.write('a/config', bytes('two'), { ifVersion: stored?.version ?? '' });
  await second.delete('a/instancegroup/nodes');

  const changes = await readHistory(store, 'a');
  expect(changes.map(({ number, who, why }) => [number, who, why])).toEqual([
    [1, 'ada@desk', 'ticket 7'],
    [2, 'ada@desk', undefined],
  ]);
  expect(changes.map(({ objects }) => objects.map(({ path, before }) => [path, before]))).toEqual([
    [
      ['config', null],
      ['instancegroup/nodes', null],
    ],
    [
      ['config', 'one'],
      ['instancegroup/nodes', 'n1'],
    ],
  ]);
});

test('what is not a part of a spec is not recorded, nor is a text that stays as it is', async () => {
  const store = createMemoryStore();
  await store.write('a/config', bytes('one'), { ifAbsent: true });
  const recording = recordChanges(store, AUTHOR);
  await recording.write('a/cluster.spec', bytes('x'), { ifAbsent: true });
  const stored = await store.read('a/config');
  await recording.write('a/config', bytes('one'), { ifVersion: stored?.version ?? '' });
  expect(await readHistory(store, 'a')).toEqual([]);
});

test('a write that is refused leaves no trace in the history', async () => {
  const store = createMemoryStore();
  await store.write('a/config', bytes('one'), { ifAbsent: true });
  const recording = recordChanges(store, AUTHOR);
  await expect(recording.write('a/config', bytes('two'), { ifAbsent: true })).rejects.toThrow(ConflictError);
  expect(await readHistory(store, 'a')).toEqual([]);
});

test('a write that was made and is reported as a conflict stays in the history', async () => {
  const store = createMemoryStore();
  await put(store, 'a/config', 'one');
  // Something on the way repeated the write, which then met its own condition.
  const repeating: StateStore = {
    ...store,
    write: async (path, text, condition) => {
      const written = await store.write(path, text, condition);
      if (path === 'a/config') throw new ConflictError(store.url, path, 'it was changed meanwhile');
      return written;
    },
  };
  await expect(put(recordChanges(repeating, AUTHOR), 'a/config', 'two')).rejects.toThrow(ConflictError);
  expect(await recorded(store)).toEqual([[1, 'ada@desk', 'config: one -> two']]);
});

test('a command that writes an object again begins a change, so that each of its texts is kept', async () => {
  const store = createMemoryStore();
  await put(store, 'a/config', '1.34');
  const upgrade = recordChanges(store, AUTHOR);
  await put(upgrade, 'a/config', '1.35');
  await put(upgrade, 'a/config', '1.36');
  await put(upgrade, 'a/instancegroup/nodes', 'n1');
  expect(await recorded(store)).toEqual([
    [1, 'ada@desk', 'config: 1.34 -> 1.35'],
    [2, 'ada@desk', 'config: 1.35 -> 1.36', 'instancegroup/nodes: null -> n1'],
  ]);
});

test('what a command writes after somebody else is a later change than theirs', async () => {
  const store = createMemoryStore();
  await put(store, 'a/config', '1.34');
  await put(store, 'a/instancegroup/nodes', 'n1');
  const upgrade = recordChanges(store, AUTHOR);
  await put(upgrade, 'a/config', '1.35');
  await put(recordChanges(store, { ...AUTHOR, who: 'bob@desk' }), 'a/instancegroup/nodes', 'n2');
  await put(upgrade, 'a/instancegroup/nodes', 'n3');
  expect(await recorded(store)).toEqual([
    [1, 'ada@desk', 'config: 1.34 -> 1.35'],
    [2, 'bob@desk', 'instancegroup/nodes: n1 -> n2'],
    [3, 'ada@desk', 'instancegroup/nodes: n2 -> n3'],
  ]);
});

test('objects that a command writes at the same time are one change, also when somebody else was in between', async () => {
  const store = createMemoryStore();
  const command = recordChanges(store, AUTHOR);
  const all = (text: string) =>
    Promise.all(['x', 'y', 'z'].map((name) => put(command, `a/instancegroup/${name}`, text)));
  await all('1');
  await put(recordChanges(store, { ...AUTHOR, who: 'bob@desk' }), 'a/config', 'c');
  await all('2');
  expect((await readHistory(store, 'a')).map(({ number, objects }) => [number, objects.length])).toEqual([
    [1, 3],
    [2, 1],
    [3, 3],
  ]);
});

test('a write that fails leaves no trace in the history if nothing was written', async () => {
  const store = createMemoryStore();
  await put(store, 'a/config', 'one');
  const denied = { ...store, write: failing(store, () => Promise.reject(new Error('AccessDenied'))) };
  await expect(put(recordChanges(denied, AUTHOR), 'a/config', 'two')).rejects.toThrow('AccessDenied');
  expect(await readHistory(store, 'a')).toEqual([]);
});

test('a write whose answer was lost stays in the history', async () => {
  const store = createMemoryStore();
  await put(store, 'a/config', 'one');
  const broken: StateStore['write'] = async (...args) => {
    await store.write(...args);
    throw new Error('socket hang up');
  };
  const recording = recordChanges({ ...store, write: failing(store, broken) }, AUTHOR);
  await expect(put(recording, 'a/config', 'two')).rejects.toThrow('socket hang up');
  expect(await recorded(store)).toEqual([[1, 'ada@desk', 'config: one -> two']]);
});

test('a store that does not answer any more does not hide why the write failed', async () => {
  const store = createMemoryStore();
  await put(store, 'a/config', 'one');
  let isDown = false;
  const down: StateStore = {
    ...store,
    read: (...args) => (isDown ? Promise.reject(new Error('still down')) : store.read(...args)),
    write: failing(store, () => {
      isDown = true;
      return Promise.reject(new Error('connection reset'));
    }),
  };
  await expect(put(recordChanges(down, AUTHOR), 'a/config', 'two')).rejects.toThrow('connection reset');
});

/** Objects of specs are written by `write`, their history as it should be. */
function failing(store: StateStore, write: StateStore['write']): StateStore['write'] {
  return (path, ...args) => (path === 'a/config' ? write(path, ...args) : store.write(path, ...args));
}

test('two commands at the same moment get numbers of their own', async () => {
  const store = createMemoryStore();
  const write = (name: string) =>
    recordChanges(store, AUTHOR).write(`a/instancegroup/${name}`, bytes(name), { ifAbsent: true });
  await Promise.all(['x', 'y', 'z'].map(write));
  expect((await readHistory(store, 'a')).map(({ number }) => number)).toEqual([1, 2, 3]);
});

test('the last hundred changes are kept', async () => {
  const store = createMemoryStore();
  let version = (await recordChanges(store, AUTHOR).write('a/config', bytes('0'), { ifAbsent: true })).version;
  for (let round = 1; round < 103; round += 1) {
    ({ version } = await recordChanges(store, AUTHOR).write('a/config', bytes(`${round}`), { ifVersion: version }));
  }
  const numbers = (await readHistory(store, 'a')).map(({ number }) => number);
  expect(numbers).toHaveLength(100);
  expect(numbers.at(-1)).toBe(103);
});
