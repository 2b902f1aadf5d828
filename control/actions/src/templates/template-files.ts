import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** A file of templates. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** Reads files, and all files in folders and the folders below them, in the order of their names. */
export async function readTemplateFiles(paths: readonly string[], flag: string): Promise<readonly TemplateFile[]> {
  try {
    const files = (await Promise.all(paths.map(filesBelow))).flat();
    return await Promise.all(files.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
  } catch (error) {
    throw new ActionableError({
      what: `read the files of ${flag}`,
      why: messageOf(error),
      next: `check the paths given to ${flag}`,
      cause: error,
    });
  }
}

async function filesBelow(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = (await readdir(path)).toSorted();
  return (await Promise.all(entries.map((entry) => filesBelow(join(path, entry))))).flat();
}
