import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { makeFolder } from '@kopsctl/files/folder.ts';

/**
 * Writes what a command makes into a file that a person names. Folders that are missing are made.
 *
 * @param next what the person does where it cannot be written
 */
export async function writeOutput(file: string, text: string, next = 'name another file with --out'): Promise<void> {
  try {
    await makeFolder(dirname(file), 0o777, false);
    await writeFile(file, text);
  } catch (error) {
    throw new ActionableError({ what: `write ${file}`, why: messageOf(error), next, cause: error });
  }
}
