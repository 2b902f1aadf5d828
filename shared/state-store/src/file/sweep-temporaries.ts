import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** A temporary file that has not changed for this long has lost its writer. */
const ABANDONED_MS = 60 * 60 * 1000;

/**
 * Returns a function that removes the temporary files of writers that died. Their times are those of a clock that may
 * be set, or may go on while the computer sleeps, in the middle of a write; so a file is removed only by a process that
 * has itself watched it for an hour in which it did not change. Processes that end sooner remove none.
 *
 * @param nowMs a clock that is never set
 */
export function temporarySweeper(folder: string, nowMs: () => number = () => performance.now()): () => Promise<void> {
  let watched = new Map<string, { readonly state: string; readonly sinceMs: number }>();
  return async () => {
    const there: typeof watched = new Map();
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      try {
        const { mtimeMs, size } = await stat(path);
        const state = `${mtimeMs} ${size}`;
        const before = watched.get(name);
        const sinceMs = before?.state === state ? before.sinceMs : nowMs();
        if (nowMs() - sinceMs > ABANDONED_MS) await unlink(path);
        else there.set(name, { state, sinceMs });
      } catch (thrown) {
        if (codeOf(thrown) !== 'ENOENT') throw thrown; // Its writer finished just now.
      }
    }
    watched = there;
  };
}
