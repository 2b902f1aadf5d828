import { existsSync, rmSync } from 'node:fs';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/**
 * Stops this process, once a test asks for it by a file, between the look at the lease that precedes a change and the
 * change: the moment that no fencing by reading can cover.
 */
export interface GapPause {
  readonly store: StateStore;
  /** Every line of the log passes through: a backup is the last thing before that look. */
  hear(line: string): void;
}

export function pauseInGap(store: StateStore, armFile: string): GapPause {
  let isNext = false;
  return {
    hear(line) {
      isNext ||= line.includes(' before: ') && existsSync(armFile);
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
