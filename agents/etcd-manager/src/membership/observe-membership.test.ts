import { expect, test } from 'vitest';
import { watchStatuses } from './observe-membership.ts';

const EPOCH = 7;
const at = (member: string, updatedAt: string, epoch = EPOCH - 1) => ({ member, updatedAt, epoch });

test('a status found at the first look proves nothing, whatever time it names', () => {
  const seen = watchStatuses(undefined, [at('a', new Date().toISOString()), at('b', '2001-01-01T00:00:00Z')], EPOCH, 5);
  expect([...seen.values()].map(({ isAlive }) => isAlive)).toEqual([false, false]);
});

test('a machine counts as alive from the moment its status changes or appears, even if its clock is hours off', () => {
  const first = watchStatuses(undefined, [at('a', '2026-11-21T12:00:00Z')], EPOCH, 5);
  const second = watchStatuses(first, [at('a', '2026-11-21T03:00:00Z'), at('b', '2040-01-01T00:00:00Z')], EPOCH, 9);
  expect(second.get('a')).toEqual({ updatedAt: '2026-11-21T03:00:00Z', sinceMs: 9, isAlive: true });
  expect(second.get('b')).toMatchObject({ sinceMs: 9, isAlive: true });
  const third = watchStatuses(second, [at('a', '2026-11-21T03:00:00Z')], EPOCH, 70);
  expect(third.get('a')).toMatchObject({ sinceMs: 9, isAlive: true });
});

test('a status written in this term proves that its machine is alive, even at the first look', () => {
  const seen = watchStatuses(undefined, [at('a', '2001-01-01T00:00:00Z', EPOCH)], EPOCH, 5);
  expect(seen.get('a')).toMatchObject({ isAlive: true });
});
