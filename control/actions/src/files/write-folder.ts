import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { makeFolder } from '@kopsctl/files/folder.ts';

/** Writes files by their paths below a folder. Folders that are missing are made. */
export async function writeFolder(out: string, folder: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of folder) {
    const file = join(out, path);
    try {
      await makeFolder(dirname(file), 0o777, false);
      await writeFile(file, text);
    } catch (error) {
      throw new ActionableError({
        what: `write ${file}`,
        why: messageOf(error),
        next: 'name a folder that can be written, and repeat the command',
        cause: error,
      });
    }
  }
}
