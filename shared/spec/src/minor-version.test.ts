import { expect, test } from 'vitest';
import { minorNumber, minorOf } from './minor-version.ts';

test.each([
  ['1.36.2', '1.36', 136],
  ['v1.9.0', '1.9', 109],
  ['3.4.23', '3.4', 304],
  ['v1.36.0-rc.1', '1.36', 136],
  ['3.5', '3.5', 305],
])('%s belongs to the minor version %s', (version, text, number) => {
  expect(minorOf(version)).toBe(text);
  expect(minorNumber(version)).toBe(number);
});

test('the number of a text that is not a version compares with none', () => {
  expect(minorNumber('latest')).toBeNaN();
});
