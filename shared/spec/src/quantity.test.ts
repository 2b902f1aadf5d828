import { expect, test } from 'vitest';
import { parseDurationMs } from './duration.ts';
import { parseQuantity } from './quantity.ts';

test.each([
  ['100m', 0.1],
  ['1.5Gi', 1.5 * 1024 ** 3],
  ['2e3', 2000],
  ['16', 16],
  ['1E', 1e18],
  ['many', undefined],
])('the quantity %s is %s', (text, value) => {
  expect(parseQuantity(text)).toBe(value);
});

test.each([
  ['48h20m', 174_000_000],
  ['1.5s', 1500],
  ['0', 0],
  ['-5ms', -5],
  ['soon', undefined],
])('the duration %s is %s ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms);
});
