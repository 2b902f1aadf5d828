import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';

/**
 * Makes folders below one, by paths relative to it. Each folder of a path must be a folder and not a link, on the disk
 * and not only in the archive: links that an earlier archive made may lead outside once they are joined.
 * Each folder is looked at only once.
 */
export function foldersBelow(top: string): (folder: string) => Promise<void> {
  const known = new Set<string>();
  const make = async (folder: string): Promise<void> => {
    if (known.has(folder)) return;
    if (folder === '.') await mkdir(top, { recursive: true, mode: 0o755 });
    else {
      await make(dirname(folder));
      await makeOne(join(top, folder));
    }
    known.add(folder);
  };
  return make;
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o755 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if ((await lstat(path)).isDirectory()) return;
    throw new PermanentError({
      what: `unpack into ${path}`,
      why: 'it is not a folder itself: a link may lead anywhere',
      next: `look at it: ls -l ${path}; move it away if a folder belongs there`,
      cause: error,
    });
  }
}
