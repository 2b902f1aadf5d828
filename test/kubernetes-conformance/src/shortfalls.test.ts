import { expect, test } from 'vitest';
import { shortfalls, TESTS_OF_1_36 } from './shortfalls.ts';
import { SUBSET } from './subset.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `test ${String(index)}`);

test.each(['subset', 'focus', 'all'] as const)('a run without a test proves nothing (%s)', (asked) => {
  expect(shortfalls(asked, [])).toEqual(['no test ran: no name matches']);
});

test('the whole suite is all of its tests', () => {
  expect(shortfalls('all', names(TESTS_OF_1_36))).toEqual([]);
  expect(shortfalls('all', names(TESTS_OF_1_36 - 1))).toEqual(['445 tests ran, and the suite has 446']);
});

test('the subset is each of its tests, and a text may match few', () => {
  expect(shortfalls('subset', SUBSET)).toEqual([]);
  expect(shortfalls('subset', SUBSET.slice(1))).toEqual([expect.stringContaining(SUBSET[0] ?? 'a first one')]);
  expect(shortfalls('focus', names(1))).toEqual([]);
});
