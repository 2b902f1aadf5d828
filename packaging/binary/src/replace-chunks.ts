import { mkdir, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';

/** A rolling update takes hours, and reads chunks until it ends. */
const KEPT_MS = 24 * 60 * 60_000;

export interface Replacing {
  /** The chunk that a program starts with: the only one whose name says nothing of its content. */
  readonly entry: string;
  /** The names of the chunks that the folder was last made of. */
  readonly former: ReadonlySet<string>;
  readonly nowMs: number;
}

/**
 * Replaces the chunks of a program while processes run it. They read chunks that they have not used yet, so what the new
 * program does not use stays for a day, and the entry comes last: until then, the former program is started.
 *
 * @param texts by name
 */
export async function replaceChunks(
  dir: string,
  texts: ReadonlyMap<string, string>,
  { entry, former, nowMs }: Replacing,
): Promise<void> {
  await mkdir(dir, { recursive: true });
  const names = [...texts.keys()].filter((name) => name !== entry);
  for (const name of [...names, entry]) {
    const [file, text = ''] = [path.join(dir, name), texts.get(name)];
    const isThere = (await ifThere(readFile(file, 'utf8'))) === text;
    if (!isThere) await replaceFile(file, text, { mode: 0o644, durable: false });
  }
  for (const name of await readdir(dir)) {
    if (texts.has(name)) continue;
    const file = path.join(dir, name);
    // From now on it is not used.
    if (former.has(name)) await utimes(file, nowMs / 1000, nowMs / 1000);
    else if ((await stat(file)).mtimeMs < nowMs - KEPT_MS) await rm(file);
  }
}
