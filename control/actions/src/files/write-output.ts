import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** Writes what a command prints into a file that a person names. Folders that are missing are made. */
export async function writeOutput(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new ActionableError({
      what: `write ${file}`,
      why: messageOf(error),
      next: 'name another file with --output',
      cause: error,
    });
  }
}
