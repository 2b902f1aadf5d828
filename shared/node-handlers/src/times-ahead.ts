import { stat, utimes } from 'node:fs/promises';
import { ifThere } from '@kopsctl/files/if-there.ts';

/**
 * Sets the times of files that are later than now to now. A clock that was ahead and has been set right leaves such
 * files. Until their time is reached they would be newer than every start of the unit that reads them, and each run
 * would restart it. They stay newer than a start that is still to be repeated.
 */
export async function endTimesAhead(paths: readonly string[], nowMs: number): Promise<void> {
  for (const path of paths) {
    const found = await ifThere(stat(path));
    if (found !== undefined && found.mtimeMs > nowMs) await utimes(path, nowMs / 1000, nowMs / 1000);
  }
}
