import { expect, test } from 'vitest';
import { rounds } from './rounds.ts';

test('a round is what began after the one before had ended', () => {
  expect(rounds([])).toBe(0);
  expect(
    rounds([
      { startMs: 0, endMs: 2 },
      { startMs: 1, endMs: 3 },
    ]),
  ).toBe(1);
  expect(
    rounds([
      { startMs: 0, endMs: 2 },
      { startMs: 1, endMs: 3 },
      { startMs: 2, endMs: 4 },
    ]),
  ).toBe(2);
});
