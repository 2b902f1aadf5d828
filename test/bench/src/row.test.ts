import { expect, test } from 'vitest';
import { isMissed, tableOf } from './row.ts';

const measured = { runs: 5, minMs: 10, medianMs: 20, maxMs: 90, peakMiB: 50 };

test('a mark is held against the median and the largest memory', () => {
  expect(isMissed({ what: 'a', measured })).toBe(false);
  expect(isMissed({ what: 'a', measured, mark: { ms: 20 } })).toBe(false);
  expect(isMissed({ what: 'a', measured, mark: { ms: 19 } })).toBe(true);
  expect(isMissed({ what: 'a', measured, mark: { ms: 20, MiB: 49 } })).toBe(true);
});

test('each line tells whether its command is within its mark', () => {
  const rows = [
    { what: 'a', measured, mark: { ms: 20, MiB: 60 } },
    { what: 'b', measured, mark: { ms: 5 } },
    { what: 'c', measured },
  ];
  expect(tableOf(rows).split('\n').slice(2)).toEqual([
    '| a | 10 / 20 / 90 | 50 | 5 | 20 ms, 60 MiB: within |',
    '| b | 10 / 20 / 90 | 50 | 5 | 5 ms: missed |',
    '| c | 10 / 20 / 90 | 50 | 5 |  |',
  ]);
});
