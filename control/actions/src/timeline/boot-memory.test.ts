import { expect, test } from 'vitest';
import { type Boot, bootMemory } from './boot-memory.ts';

const entry = (path: string, version: string) => ({ path, version, size: 1, modifiedMs: 0 });
const UNREADABLE: Boot = { unreadable: 'it is not a report' };

test('a report is read again when it has changed, and only then', async () => {
  const memory = bootMemory();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { boot: UNREADABLE, isWhole: true };
  };
  for (const version of ['1', '1', '2', '2']) {
    expect(await memory.recall(entry('a/nodes/n/boot-report.json', version), read)).toBe(UNREADABLE);
  }
  expect(reads).toBe(2);
});

test('a report that could not be read to its end is read again, and one that is gone is forgotten', async () => {
  const memory = bootMemory();
  let reads = 0;
  const read = (isWhole: boolean) => async () => {
    reads += 1;
    return { boot: UNREADABLE, isWhole };
  };
  const one = entry('a/nodes/n/boot-report.json', '1');
  await memory.recall(one, read(false));
  await memory.recall(one, read(true));
  expect(reads).toBe(2);
  memory.keep('b/nodes', []);
  await memory.recall(one, read(true));
  expect(reads).toBe(2);
  memory.keep('a/nodes', []);
  await memory.recall(one, read(true));
  expect(reads).toBe(3);
});
