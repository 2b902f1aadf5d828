import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { ConflictError } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { readHistory } from './read-history.ts';
import { recordChanges } from './record-changes.ts';

const AUTHOR = { who: 'ada@desk', command: 'kopsctl edit cluster a', why: 'ticket 7' };
const bytes = (text: string) => new TextEncoder().encode(text);

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
