import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Observed } from './node-cloud.ts';

/**
 * A cloud that sends machines no events is asked again and again: soon after something has changed, because one change
 * follows another while a cluster forms or a machine is replaced, and less and less often while nothing changes. The
 * API's budget is that of the account, shared by all its clusters: 20 calls a second for each kind of listing in EC2.
 */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
const GROWTH = 1.3;

export interface Watch<T> {
  /** Resolves at once without `after`, else as soon as the content is no longer of that revision. */
  newerThan(after: string | undefined, signal: AbortSignal): Promise<Observed<T>>;
}

/** The revision is the content's hash, so it means the same to every process and after every restart. */
export function watchByAsking<T>(look: (signal: AbortSignal) => Promise<readonly T[]>, random: () => number): Watch<T> {
  let pauseMs = FIRST_PAUSE_MS;
  return {
    async newerThan(after, signal) {
      for (let isFirst = true; ; isFirst = false) {
        // A caller that knows a revision has just been answered.
        if (after !== undefined || !isFirst) {
          await sleep(pauseMs * (0.8 + 0.4 * random()), undefined, { signal });
        }
        const items = await look(signal);
        const revision = createHash('sha256').update(JSON.stringify(items)).digest('hex').slice(0, 16);
        if (revision !== after) {
          pauseMs = FIRST_PAUSE_MS;
          return { revision, items };
        }
        pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * GROWTH);
      }
    },
  };
}
