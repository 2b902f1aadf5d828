import { expect, test } from 'vitest';
import { LEASE_SECONDS, planLease } from './plan-lease.ts';

const action = (holder: string | undefined, ageMs: number): string =>
  planLease('me', holder === undefined ? undefined : { holder, resourceVersion: '1', seenMs: 0 }, ageMs).action;

test('a lease is created when absent, renewed when held, taken when given up', () => {
  expect([action(undefined, 0), action('me', 60_000), action('', 0)]).toEqual(['create', 'renew', 'take']);
});

test('another holder is respected for the duration of a lease by our own clock', () => {
  expect(action('other', LEASE_SECONDS * 1000 - 1)).toBe('wait');
  expect(action('other', LEASE_SECONDS * 1000)).toBe('take');
});
