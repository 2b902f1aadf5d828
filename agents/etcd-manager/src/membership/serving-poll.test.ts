import { expect, test } from 'vitest';
import { servingPollMs } from './serving-poll.ts';

test.each([
  ['5s', 5_000],
  ['1m0s', 30_000],
  ['10ms', 1_000],
  ['often', 10_000],
])('with an interval of %s the leader looks every %d ms', (value, ms) => {
  expect(servingPollMs({ env: [{ name: 'ETCD_MANAGER_DISCOVERY_POLL_INTERVAL', value }] })).toBe(ms);
});

test('without an interval it looks every ten seconds', () => {
  expect(servingPollMs({ env: [] })).toBe(10_000);
});
