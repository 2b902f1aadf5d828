import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { replaceFile } from '@kopsctl/files/replace-file.ts';

/** The file's text; empty when there is no file. */
export async function readHosts(path: string): Promise<string> {
  return (await ifThere(readFile(path, 'utf8'))) ?? '';
}

/** Editors truncate, then write. Acting on a half-written file would lose the rest of it. */
const SETTLED_MS = 50;
/** An empty file has most likely just been truncated. */
const EMPTY_SETTLED_MS = 1_000;

/** The file's text once it stops changing, that is, once nobody is writing it. */
export async function readSettledHosts(path: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const before = await readHosts(path);
    await sleep(before.trim() === '' ? EMPTY_SETTLED_MS : SETTLED_MS, undefined, { signal });
    if ((await readHosts(path)) === before) return before;
  }
}

/**
 * Replaces the file atomically, keeps its mode and owner, and follows a symbolic link. A bind mount cannot be replaced
 * (rename fails with EBUSY; container runtimes mount /etc/hosts this way), so it is written in place.
 */
export async function writeHosts(path: string, text: string): Promise<'replaced' | 'written in place'> {
  const found = await ifThere(stat(path));
  const target = found === undefined ? path : await realpath(path);
  try {
    await replaceFile(target, text, { mode: (found?.mode ?? 0o644) & 0o7777, owner: found });
    return 'replaced';
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EBUSY' && code !== 'EXDEV') throw error;
    await writeFile(target, text);
    return 'written in place';
  }
}
