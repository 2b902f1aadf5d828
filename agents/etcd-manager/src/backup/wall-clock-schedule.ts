import { createTask } from 'node-cron';

/** How often the wall clock is compared with the monotonic one. */
const WATCH_MS = 5_000;
/** A time server corrects a clock in steps below this. Larger ones count as a clock that was set. */
const SET_MS = 30_000;

/**
 * Calls `ring` at every moment of a cron schedule by the wall clock, until it is stopped. When that clock is set, it calls once,
 * because a moment may have been skipped, and goes on from the new time. node-cron is only asked for the moments: a task that it
 * runs goes through every moment that was skipped, which blocks this process for a minute after months; and if the clock was
 * months ahead, as when a machine without a battery boots, the task calls again only after those months.
 */
export function wallClockSchedule(cron: string, ring: () => void): { stop(): void } {
  const task = createTask(cron, () => undefined);
  const nextMs = (): number => {
    const [next] = task.getNextRuns(1);
    if (next === undefined) throw new Error(`the schedule ${cron} has no next moment`);
    return next.getTime();
  };
  let ahead = Date.now() - performance.now();
  let dueMs = nextMs();
  let timer = setTimeout(look, 0);

  function look(): void {
    const now = Date.now();
    const isSet = Math.abs(now - performance.now() - ahead) > SET_MS;
    ahead = now - performance.now();
    const rings = isSet || now >= dueMs;
    if (rings) dueMs = nextMs();
    timer = setTimeout(look, Math.max(0, Math.min(WATCH_MS, dueMs - now)));
    if (rings) ring();
  }

  return {
    stop() {
      clearTimeout(timer);
    },
  };
}
