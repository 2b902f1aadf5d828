import { mkdir, open, readFile, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { z } from 'zod';

/** Replaces the file as a whole: a reader, or a crash, sees the old or the new text and nothing between. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** The file's content, checked; undefined when there is no such file. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ActionableError({
      what: `read the local cluster's state in ${path}`,
      why: messageOf(cause),
      next: 'delete the cluster with `kopsctl delete cluster --yes` and apply it again, or restore that file',
      cause,
    });
  }
}

/** The records of every subfolder that has one, by folder name. */
export async function readRecords<T>(
  folder: string,
  file: string,
  schema: z.ZodType<T>,
): Promise<ReadonlyMap<string, T>> {
  const records = new Map<string, T>();
  for (const name of await subfolders(folder)) {
    const record = await readJsonFile(join(folder, name, file), schema);
    if (record !== undefined) records.set(name, record);
  }
  return records;
}

/** Sorted names of the folders in a folder; none when it does not exist. */
export async function subfolders(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
