import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('Every item is worked on once, sixteen at most at a time', async () => {
  const done: number[] = [];
  let [now, most] = [0, 0];
  const items = Array.from({ length: 100 }, (_, index) => index);
  await inParallel(items, async (item) => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    now--;
    done.push(item);
  });
  expect(done.toSorted((a, b) => a - b)).toEqual(items);
  expect(most).toBe(16);
});

test('After a failure nothing more is begun', async () => {
  let begun = 0;
  const work = async () => {
    begun++;
    await Promise.reject(new Error('no space'));
  };
  await expect(inParallel(Array.from({ length: 100 }), work)).rejects.toThrow('no space');
  expect(begun).toBe(16);
});
