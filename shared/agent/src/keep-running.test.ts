import { expect, test } from 'vitest';
import { delayAfter, isNotYet } from './keep-running.ts';

test('the delay doubles to half a minute, or to a second while the other side is not there yet', () => {
  expect([1, 2, 3, 8, 100].map((failures) => delayAfter(failures, false))).toEqual([250, 500, 1000, 30_000, 30_000]);
  expect([1, 2, 3, 8, 100].map((failures) => delayAfter(failures, true))).toEqual([250, 500, 1000, 1000, 1000]);
});

test('a refused connection or a missing file is not there yet, however deep it is wrapped', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(isNotYet(refused)).toBe(true);
  expect(isNotYet(new Error('cannot list nodes', { cause: refused }))).toBe(true);
  expect(isNotYet(new Error('it said no'))).toBe(false);
});
