import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { ifThere } from '@kopsctl/files/if-there.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { withExclusiveLock } from '@kopsctl/state-store/file/exclusive-lock.ts';
import * as z from 'zod';

import { readNote } from './read-note.ts';

/** A file that a recipe made, named relative to the folder it was given. */
export interface MadeFile {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly image?: string;
  /** The hash of an image that its registry gave. */
  readonly digest?: string;
  readonly urls?: readonly string[];
}

/** A made file as it lies in the cache. Size and time stand for the hash, so that hundreds of MB need not be read again. */
export interface CachedFile extends MadeFile {
  readonly sha256: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface CachedFolder {
  readonly dir: string;
  readonly files: readonly CachedFile[];
}

/** Written by makeCached alone, and in place only once it is complete. */
const MANIFEST = 'files.json';

const manifest = z.array(
  z.object({
    name: z.string(),
    version: z.string(),
    file: z.string(),
    image: z.string().exactOptional(),
    digest: z.string().exactOptional(),
    urls: z.array(z.string()).exactOptional(),
    sha256: z.string(),
    size: z.number(),
    mtimeMs: z.number(),
  }),
);

/** Names a result by everything it is made from. */
export function cacheKey(inputs: readonly string[]): string {
  return createHash('sha256').update(inputs.join('\0')).digest('hex').slice(0, 16);
}

/**
 * The folder made earlier at `dir`, if it is whole: a file cut short or touched since makes it count as absent.
 *
 * @param check `hashes` reads every file again; `times` compares sizes and times, which is enough for what is
 *   quickly fetched again.
 */
export async function findCached(dir: string, check: 'hashes' | 'times' = 'times'): Promise<CachedFolder | undefined> {
  const files = await readNote(path.join(dir, MANIFEST), manifest);
  if (files === undefined) return undefined;
  const whole = await Promise.all(files.map((file) => (check === 'hashes' ? byHash(dir, file) : byTime(dir, file))));
  return whole.every((file) => file !== undefined) ? { dir, files: whole } : undefined;
}

async function byTime(dir: string, recorded: CachedFile): Promise<CachedFile | undefined> {
  return (await isUntouched(path.join(dir, recorded.file), recorded)) ? recorded : undefined;
}

/** The times of a cache that was copied here from elsewhere say nothing. */
async function byHash(dir: string, recorded: CachedFile): Promise<CachedFile | undefined> {
  const found = await ifThere(record(dir, recorded));
  return found?.sha256 === recorded.sha256 ? found : undefined;
}

/** Whether the file at `file` has the size and time that were recorded for it. */
export async function isUntouched(
  file: string,
  recorded: { readonly size: number; readonly mtimeMs: number },
): Promise<boolean> {
  const found = await ifThere(stat(file));
  return found?.size === recorded.size && found.mtimeMs === recorded.mtimeMs;
}

/** Longer than anything here takes to make, the build of Kubernetes on a busy machine included. */
const WAIT_LIMIT_MS = 2 * 60 * 60 * 1000;

/**
 * Makes the folder beside its place and renames it there when whole, so that an interrupted make is never taken for
 * done. A process that wants the same folder meanwhile waits for this one and takes its result.
 */
export async function makeCached(
  dir: string,
  check: 'hashes' | 'times',
  make: (dir: string, scratch: string) => Promise<readonly MadeFile[]>,
): Promise<CachedFolder> {
  const [shelf, key] = [path.dirname(dir), path.basename(dir)];
  await mkdir(shelf, { recursive: true });
  const lock = { file: path.join(shelf, `.${key}.lock`), what: `make ${dir}`, waitLimitMs: WAIT_LIMIT_MS };
  return withExclusiveLock(lock, undefined, async () => {
    const found = await findCached(dir, check);
    if (found !== undefined) return found;
    await removeAbandoned(shelf);
    // Not a hidden name: Go leaves folders that begin with a dot out of its patterns.
    const making = path.join(shelf, `making-${key}-${String(process.pid)}`);
    const scratch = `${making}.scratch`;
    try {
      await mkdir(making, { recursive: true });
      await mkdir(scratch, { recursive: true });
      const made = await make(making, scratch);
      const files = await Promise.all(made.map((file) => record(making, file)));
      await writeFile(path.join(making, MANIFEST), JSON.stringify(files, undefined, 2));
      await rm(dir, { recursive: true, force: true });
      await rename(making, dir);
      return { dir, files };
    } finally {
      await rm(making, { recursive: true, force: true });
      await rm(scratch, { recursive: true, force: true });
    }
  });
}

/** Removes what a killed make left behind: gigabytes, for Kubernetes. A make that still runs is left alone. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^making-.*-(\d+)(\.scratch)?(\.debs)?$/.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
      // Another process may be removing it too.
      await rm(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

async function record(dir: string, made: MadeFile): Promise<CachedFile> {
  const file = path.join(dir, made.file);
  const { size, mtimeMs } = await stat(file);
  return { ...made, sha256: await sha256OfFile(file), size, mtimeMs };
}
