import { expect, test } from 'vitest';
import { isAtLeast } from './at-least.ts';

test.each([
  ['3.5.16', '3.5.16', true],
  ['3.5.9', '3.5.16', false],
  ['3.10.0', '3.9.9', true],
  ['v3.5.26', '3.5.26', true],
  ['3.7.0-rc.1', '3.7.0', true],
  ['3.4.34', '3.5.0', false],
  ['4.0.0', '3.9.9', true],
])('etcd %s is at least %s: %s', (version, least, expected) => {
  expect(isAtLeast(version, least)).toBe(expected);
});
