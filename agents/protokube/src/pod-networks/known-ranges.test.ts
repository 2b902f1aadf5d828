import type { PodRanges } from '@kopsctl/node-cloud/node-cloud.ts';
import { expect, test } from 'vitest';
import { KnownRanges, LOOK_AGAIN_MS } from './known-ranges.ts';

const { signal } = new AbortController();

/** A cloud with these ranges, and what it was asked. */
function knownOf(ranges: Map<string, readonly string[]>) {
  const asked: string[] = [];
  const cloud: PodRanges = {
    list: async (ids) => {
      asked.push(ids.join(' '));
      return new Map([...ranges].filter(([id]) => ids.includes(id)));
    },
    assign: async (id) => `range of ${id}`,
  };
  let nowMs = 5_000;
  const known = new KnownRanges(cloud, () => nowMs);
  const after = (ms: number): void => void (nowMs += ms);
  return { known, asked, after };
}

test('a range is looked up once: a machine keeps it', async () => {
  const { known, asked, after } = knownOf(new Map([['i-a', ['a']]]));
  await known.lookUp(['i-a'], signal);
  after(10 * LOOK_AGAIN_MS);
  await known.lookUp(['i-a'], signal);
  expect([asked, known.of('i-a')]).toEqual([['i-a'], ['a']]);
});

test('a machine that has none is not looked up whenever a Node changes, but again after a while', async () => {
  const ranges = new Map([['i-a', ['a']]]);
  const { known, asked, after } = knownOf(ranges);
  await known.lookUp(['i-a', 'i-b'], signal);
  after(LOOK_AGAIN_MS - 1);
  await known.lookUp(['i-a', 'i-b'], signal);
  expect([asked, known.of('i-b')]).toEqual([['i-a i-b'], []]);
  // Another leader has had it assigned.
  ranges.set('i-b', ['b']);
  after(1);
  await known.lookUp(['i-a', 'i-b'], signal);
  expect([asked, known.of('i-b')]).toEqual([['i-a i-b', 'i-b'], ['b']]);
});

test('a range that was assigned is known', async () => {
  const { known, asked, after } = knownOf(new Map());
  await known.lookUp(['i-a'], signal);
  await known.assign('i-a', signal);
  after(LOOK_AGAIN_MS);
  await known.lookUp(['i-a'], signal);
  expect([asked, known.of('i-a')]).toEqual([['i-a'], ['range of i-a']]);
});

test('machines that are gone are forgotten', async () => {
  const { known, asked } = knownOf(new Map([['i-a', ['a']]]));
  for (const ids of [['i-a'], [], ['i-a']]) await known.lookUp(ids, signal);
  expect(asked).toEqual(['i-a', 'i-a']);
});
