import { createHash } from 'node:crypto';
import path from 'node:path';

import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';
import * as z from 'zod';

import { readNote } from './read-note.ts';

/** What was taken once although the tables of this release do not know its hash. */
const note = z.object({ name: z.string(), hash: z.string() });

/** Something that its publisher may change: a URL, or an image by its tag, and the hash that it has now. */
export interface Served {
  /** Completes "cannot …". */
  readonly what: string;
  /** The URL or the reference. */
  readonly name: string;
  readonly hash: string;
}

const noteOf = (cacheDir: string, name: string): string =>
  path.join(cacheDir, 'taken', `${createHash('sha256').update(name).digest('hex').slice(0, 16)}.json`);

/**
 * Whether it was taken before with this hash.
 *
 * @throws ActionableError if it had another hash then
 */
export async function wasTaken(cacheDir: string, { what, name, hash }: Served): Promise<boolean> {
  const file = noteOf(cacheDir, name);
  const before = await readNote(file, note);
  if (before === undefined || before.hash === hash) return before !== undefined;
  throw new ActionableError({
    what,
    why: `its hash is ${hash} now, and was ${before.hash} when it was taken first`,
    next: `find out from its publisher why it changed; to accept it, delete ${file} and run the same command again`,
  });
}

/** From now on it is taken with this hash alone. */
export async function rememberTaken(cacheDir: string, { name, hash }: Served): Promise<void> {
  const text = `${JSON.stringify({ name, hash }, undefined, 2)}\n`;
  await replaceFile(noteOf(cacheDir, name), text, { mode: 0o644, folderMode: 0o755, hasManyWriters: true });
}
