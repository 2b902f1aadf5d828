import { expect, test } from 'vitest';
import { clockAheadMs } from './clock.ts';

const NOON_MS = Date.parse('2026-05-01T12:00:00Z');
const HOUR_MS = 60 * 60_000;
const NOTHING = { report: undefined, reportStoredMs: undefined, kept: undefined, keptStoredMs: undefined };
const report = {
  startedAt: '2026-05-01T11:59:00Z',
  finishedAt: '2026-05-01T12:00:00Z',
  result: 'done',
  tasks: [],
} as const;
const kept = {
  writtenAt: '2026-05-01T12:00:00Z',
  state: { units: {}, certificates: {}, failures: {} },
  errors: [],
};

test('what a machine kept tells of a clock that is ahead or behind', () => {
  expect(clockAheadMs({ ...NOTHING, kept, keptStoredMs: NOON_MS - HOUR_MS })).toBe(HOUR_MS);
  expect(clockAheadMs({ ...NOTHING, kept, keptStoredMs: NOON_MS + HOUR_MS })).toBe(-HOUR_MS);
});

test('a boot report tells of a clock that is ahead, and not of one that is behind: it may have been on its way', () => {
  expect(clockAheadMs({ ...NOTHING, report, reportStoredMs: NOON_MS - HOUR_MS })).toBe(HOUR_MS);
  expect(clockAheadMs({ ...NOTHING, report, reportStoredMs: NOON_MS + HOUR_MS })).toBeUndefined();
});

test('nothing is said without stamps of the store', () => {
  expect(clockAheadMs({ ...NOTHING, report, kept })).toBeUndefined();
  expect(clockAheadMs(NOTHING)).toBeUndefined();
});
