import { schedule } from 'node-cron';

/** How often the wall clock is compared with the monotonic one. */
const WATCH_MS = 5_000;
/** A time server corrects a clock in steps below this. Larger ones count as a clock that was set. */
const SET_MS = 30_000;

/**
 * Calls `ring` at every moment of a cron schedule by the wall clock, until it is stopped. When that clock is set, it calls once,
 * because a moment may have been skipped, and goes on from the new time. node-cron by itself goes through every moment that
 * was skipped, which stops this process for seconds after months; and when the clock was months ahead, as machines without a
 * battery boot, it calls again only after those months.
 */
export function wallClockSchedule(cron: string, ring: () => void): { stop(): void } {
  const start = () => schedule(cron, ring, { suppressMissedWarning: true });
  let job = start();
  let ahead = Date.now() - performance.now();
  const watch = setInterval(() => {
    const now = Date.now() - performance.now();
    const isSet = Math.abs(now - ahead) > SET_MS;
    ahead = now;
    if (!isSet) return;
    void job.destroy();
    job = start();
    ring();
  }, WATCH_MS);
  return {
    stop() {
      clearInterval(watch);
      void job.destroy();
    },
  };
}
