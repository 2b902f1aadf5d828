import { expect, test } from 'vitest';
import { Allowance } from './allowance.ts';

test('what a machine has used up is there again after an hour, and others have theirs', () => {
  let nowMs = 0;
  const allowance = new Allowance(2, () => nowMs);
  expect(['a', 'a', 'a', 'b'].map((machine) => allowance.take(machine))).toEqual([true, true, false, true]);
  nowMs = 59 * 60_000;
  expect(allowance.take('a')).toBe(false);
  nowMs = 61 * 60_000;
  expect(allowance.take('a', 2)).toBe(true);
});
