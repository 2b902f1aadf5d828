import { expect, test } from 'vitest';
import { addressPool, macOf } from './address-pool.ts';

test('machines get the next free address from the eleventh on; a released address is reused last', () => {
  const pool = addressPool('172.30.0.0/24');
  expect(pool.gateway).toBe('172.30.0.1');
  expect(pool.next(new Set())).toBe('172.30.0.10');
  expect(pool.next(new Set(['172.30.0.10', '172.30.0.12']))).toBe('172.30.0.11');
  expect(pool.next(new Set(['172.30.0.12']), '172.30.0.11')).toBe('172.30.0.13');
  expect(pool.next(new Set(['172.30.0.10']), '172.30.0.254')).toBe('172.30.0.11');
});

test('a range may be written with any of its addresses', () => {
  expect(addressPool('10.20.31.77/20').gateway).toBe('10.20.16.1');
});

test('a full network is reported', () => {
  const pool = addressPool('172.30.0.0/27');
  const taken = new Set(Array.from({ length: 21 }, (_, index) => `172.30.0.${index + 10}`));
  expect(() => pool.next(taken)).toThrow('every address of 172.30.0.0/27 is taken');
});

test.each(['172.30.0.0', '172.30.0.0/8', '172.30.0.300/24', 'fd00::/64'])(
  '%s is refused as a network for machines',
  (cidr) => {
    expect(() => addressPool(cidr)).toThrow('is not an IPv4 range of /16 to /27');
  },
);

test('a MAC address is locally administered, unicast and contains the IP address', () => {
  expect(macOf('172.30.0.10')).toBe('02:00:ac:1e:00:0a');
});
