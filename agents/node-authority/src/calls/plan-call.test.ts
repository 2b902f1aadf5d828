import { expect, test } from 'vitest';
import { pauseAfter } from './plan-call.ts';

const talked = (againSeconds: number | undefined, knownForMs = 3_600_000) =>
  pauseAfter({ last: { end: 'talked', againSeconds }, times: 1, knownForMs });

test('a machine that boots is called every quarter of a second', () => {
  expect(pauseAfter({ last: { end: 'refused' }, times: 100, knownForMs: 60_000 })).toBe(250);
});

test('a machine that has long been known and cannot be reached is called less and less often', () => {
  const pauses = [1, 4, 100].map((times) => pauseAfter({ last: { end: 'silent' }, times, knownForMs: 3_600_000 }));
  expect(pauses).toEqual([500, 4000, 60_000]);
});

test('a machine is called when it wants to be, within bounds', () => {
  expect([300, 0, -1, 1e9, undefined].map((wish) => talked(wish))).toEqual([300_000, 5000, 5000, 3_600_000, 5000]);
});

test('a machine that boots has a plan within a second, and wants its certificates', () => {
  expect([0, 1, undefined].map((wish) => talked(wish, 10_000))).toEqual([1000, 1000, 5000]);
});

test('a machine that does not prove itself is called ever more rarely', () => {
  const pauses = [1, 2, 3, 100].map((times) => pauseAfter({ last: { end: 'unproven' }, times, knownForMs: 10_000 }));
  expect(pauses).toEqual([5000, 10_000, 20_000, 60_000]);
});
