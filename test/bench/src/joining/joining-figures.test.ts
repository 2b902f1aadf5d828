import { expect, test } from 'vitest';
import { type Joining, printJoining } from './joining-figures.ts';

const good: Joining = {
  machines: 3,
  joinedSeconds: [1, 2, 60],
  peakMiB: 89.9,
  peakMiBBefore: 60,
  cpuSeconds: 12,
  authoritySeconds: 70,
  asked: new Map([['/v1/machines', 6]]),
  lists: 6,
  failures: 1,
  floodKinds: 1,
  flood: new Map([['close', 7]]),
  taken: new Set(),
  refusalEvents: 25,
  refused: 25,
};

test('figures within their marks miss none', () => {
  const { text, missed } = printJoining(good);
  expect(missed).toBe(false);
  expect(text).toContain('| all have joined, seconds | 60.0 | ≤ 60 |');
  expect(text).toContain('| `/v1/machines` | 6 |');
  expect(text).toContain('| close | 7 |');
});

test('without attackers there need be no event', () => {
  const changed = { floodKinds: 0, flood: new Map(), refused: 0, refusalEvents: 0 };
  expect(printJoining({ ...good, ...changed }).missed).toBe(false);
});

test.each<[string, Partial<Joining>]>([
  ['machines that have not joined', { joinedSeconds: [1, 2] }],
  ['machines that have not joined', { joinedSeconds: [] }],
  ['all have joined, seconds', { joinedSeconds: [1, 2, 61] }],
  ['authority with all, peak MiB', { peakMiB: 90.1 }],
  ['lists of machines', { lists: 7 }],
  ['kinds of attackers that were taken for a machine', { taken: new Set(['other-key']) }],
  ['kinds of attackers that were called', { floodKinds: 2 }],
  ['events of refused machines', { refusalEvents: 26 }],
  ['events of refused machines', { refusalEvents: 0 }],
])('%s: a mark is missed', (what, changed) => {
  const { text, missed } = printJoining({ ...good, ...changed });
  expect(missed).toBe(true);
  expect(text.split('\n').filter((line) => line.includes('MISSED'))).toEqual([expect.stringContaining(what)]);
});
