import { existsSync, rmSync } from 'node:fs';
import type { StateStore } from '@kopsctl/state-store/store.ts';

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
          process.kill(process.pid, 'SIGSTOP');
        }
        return found;
      },
    },
  };
}
