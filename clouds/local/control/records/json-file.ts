import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import type { z } from 'zod';

export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await replaceFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, folderMode: 0o700 });
}

/** The validated content of a file; undefined if there is no such file. */
export async function readJsonFile<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await ifThere(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
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

/** The records in subfolders, by the name of the folder. */
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

/** The sorted names of subfolders; none if the folder does not exist. */
export async function subfolders(folder: string): Promise<readonly string[]> {
  const entries = (await ifThere(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}
