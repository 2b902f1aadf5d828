import { expect, test } from 'vitest';
import { addressPart } from './ipv6-part.ts';

test.each([
  ['2600:1f13:abc:de00::/56', '/64#0', '2600:1f13:abc:de00::/64'],
  ['2600:1f13:abc:de00::/56', '/64#a', '2600:1f13:abc:de0a::/64'],
  ['2600:1f13:abc:de00::/56', '/64#ff', '2600:1f13:abc:deff::/64'],
  ['fd00::/48', '/64#1', 'fd00:0:0:1::/64'],
])('of %s the part %s is %s', (range, part, expected) => {
  expect(addressPart(range, part)).toBe(expected);
});

test.each([
  ['2600:1f13:abc:de00::/56', '/64#100'],
  ['2600:1f13:abc:de00::/56', '/48#0'],
  ['10.0.0.0/8', '/64#0'],
])('%s has no part %s', (range, part) => {
  expect(() => addressPart(range, part)).toThrow(part);
});
