import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { writeAtomically } from '@kopsctl/agent/write-file.ts';

/** The file's text; a machine without one has an empty one. */
export async function readHosts(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Editors truncate, then write; what is read in between is half a file, and acting on it would lose the rest. */
const SETTLED_MS = 50;
/** A file that is empty has most likely just been truncated. */
const EMPTY_SETTLED_MS = 1_000;

/** The file's text once nobody is in the middle of writing it: the same at the begin and end of a moment. */
export async function readSettledHosts(path: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const before = await readHosts(path);
    await sleep(before.trim() === '' ? EMPTY_SETTLED_MS : SETTLED_MS, undefined, { signal });
    if ((await readHosts(path)) === before) return before;
  }
}

/**
 * Replaces the file in one moment, keeping mode and owner and following a symbolic link. A bind mount cannot be
 * replaced (rename gives EBUSY, container runtimes mount /etc/hosts so): it is written in place.
 */
export async function writeHosts(path: string, text: string): Promise<'replaced' | 'written in place'> {
  const found = await statOf(path);
  const target = found === undefined ? path : await realpath(path);
  try {
    await writeAtomically(target, text, (found?.mode ?? 0o644) & 0o7777, found);
    return 'replaced';
  } catch (error) {
    const code = codeOf(error);
    if (code !== 'EBUSY' && code !== 'EXDEV') throw error;
    await writeFile(target, text);
    return 'written in place';
  }
}

async function statOf(path: string): Promise<{ mode: number; uid: number; gid: number } | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
