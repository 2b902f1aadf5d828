import { expect, test } from 'vitest';
import { OwnMember } from './own-member.ts';
import { WELL_MEMBER } from './testing/well-member.ts';

test('a member whose volume is gone is not well, and has no name', () => {
  const own = new OwnMember();
  own.set(WELL_MEMBER, 1_000);
  expect([own.isWell(2_000), own.member]).toEqual([true, 'a']);
  own.clear();
  expect([own.isWell(2_000), own.member]).toEqual([false, undefined]);
});

test('a member that nobody has looked at for a minute is not well: its volume hangs', () => {
  const own = new OwnMember();
  own.set(WELL_MEMBER, 1_000);
  expect(own.isWell(60_999)).toBe(true);
  expect(own.isWell(61_000)).toBe(false);
});
