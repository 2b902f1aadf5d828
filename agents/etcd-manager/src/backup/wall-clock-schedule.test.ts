import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { wallClockSchedule } from './wall-clock-schedule.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOON = Date.parse('2026-05-01T12:00:30Z');

let moments: { stop(): void } | undefined;

beforeEach(() => {
  vi.useFakeTimers({
    now: NOON,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
});
afterEach(() => {
  moments?.stop();
  moments = undefined;
  vi.useRealTimers();
});

describe('a schedule by the wall clock', () => {
  test('calls at its moments', async () => {
    const ring = vi.fn<() => void>();
    moments = wallClockSchedule('*/15 * * * *', ring);
    await vi.advanceTimersByTimeAsync(14 * 60_000);
    expect(ring).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  test.each([100, -100])('calls once when the clock is set by %d days, and then at its moments', async (days) => {
    const ring = vi.fn<() => void>();
    moments = wallClockSchedule('*/15 * * * *', ring);
    vi.setSystemTime(NOON + days * DAY_MS);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(ring).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(ring).toHaveBeenCalledTimes(2);
  });

  test('goes through no moment that was skipped when the clock is set right before one', async () => {
    const ring = vi.fn<() => void>();
    moments = wallClockSchedule('* * * * *', ring);
    await vi.advanceTimersByTimeAsync(29_500);
    vi.setSystemTime(NOON + 3_650 * DAY_MS);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ring).toHaveBeenCalledTimes(1);
  });

  test('makes no calls once it is stopped', async () => {
    const ring = vi.fn<() => void>();
    wallClockSchedule('*/15 * * * *', ring).stop();
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(ring).not.toHaveBeenCalled();
  });
});
