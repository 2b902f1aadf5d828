import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { locksIn } from './record-lock.ts';

/**
 * Stops this process (SIGSTOP), when a test has created a file, between a change and the look at the lease just before it:
 * the moment that fencing by reading cannot cover.
 */
export interface GapPause {
  readonly store: StateStore;
  /** Receives every line of the log. The line of a backup is the last one before that look. */
  hear(line: string): void;
}

export function pauseInGap(store: StateStore, armFile: string): GapPause {
  let isNext = false;
  return {
    hear(line) {
      isNext ||= line.includes(': backup saved before a change ') && existsSync(armFile);
    },
    store: {
      ...store,
      async read(path, signal) {
        const found = await store.read(path, signal);
        if (isNext && path.endsWith('/control/leader')) {
          isNext = false;
          rmSync(armFile);
          // Everything else that this process does with the store is done before it stops.
          while (holdsLock()) await sleep(1);
          process.kill(process.pid, 'SIGSTOP');
        }
        return found;
      },
    },
  };
}

/** Asked and answered without a pause in which this process could take the lock. */
const holdsLock = (): boolean => locksIn(readFileSync('/proc/locks', 'utf8'), process.pid);
