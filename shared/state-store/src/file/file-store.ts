import { readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { makeFolder, syncFolder } from '@kopsctl/files/folder.ts';
import { conflictOf } from '../condition.ts';
import { checkPath, comparePaths, folderOfPrefix, RESERVED_PREFIX } from '../path.ts';
import type { Entry, StateStore, WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { linkIfFree, replace, writeTemporary } from './durable-file.ts';
import { withExclusiveLock } from './exclusive-lock.ts';
import { describeObject, isAbsence, readObject, streamObject } from './file-version.ts';
import { fileSystemType, refuseNetworkFileSystem, type FileSystemType } from './network-file-system.ts';
import { temporarySweeper } from './sweep-temporaries.ts';

/** How often a folder may vanish under a writer (its last object deleted by another) before that is an error. */
const FOLDER_ATTEMPTS = 20;
/** The holder of the lock only compares and renames. */
const LOCK_LIMIT_MS = 30_000;

/**
 * A store in a folder of this host, shared by any number of processes.
 *
 * Contents reach the disk in a temporary file and then get their name in one step: link(2), which fails when the
 * name is taken, for a creation; rename(2) for a replacement. Replacements and deletions compare and act under one
 * lock, creations need none. So at whatever point a process is killed, an object is whole, old or new. On a file system of
 * another machine none of that holds, so nothing is changed there.
 */
export function createFileStore(url: string, typeOf: FileSystemType = fileSystemType): StateStore {
  const root = rootOf(url);
  const own = join(root, RESERVED_PREFIX);
  const temporaries = join(own, 'tmp');
  const lock = { file: join(own, 'lock'), what: `lock the state store ${url}`, waitLimitMs: LOCK_LIMIT_MS };

  const sweepTemporaries = temporarySweeper(temporaries);
  let isOwn = false;
  async function refuseForeign(): Promise<void> {
    if (isOwn) return;
    await refuseNetworkFileSystem(url, root, typeOf);
    isOwn = true;
  }

  async function readVersion(path: string, signal?: AbortSignal): Promise<string | undefined> {
    return (await describeObject(join(root, path), signal))?.version;
  }

  async function create(path: string, temporary: string): Promise<void> {
    const target = join(root, path);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await makeFolder(dirname(target), folderMode(path));
        if (await linkIfFree(temporary, target)) return;
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT' && attempt < FOLDER_ATTEMPTS) continue;
        throw thrown;
      }
      throw await existsAlready(path);
    }
  }

  async function existsAlready(path: string): Promise<Error> {
    const isFolder = (await readFolder(join(root, path))).length > 0;
    if (!isFolder) return new ConflictError(url, path, 'it was to be created, but it already exists');
    return new ActionableError({
      what: `write ${path} in ${url}`,
      why: 'there are objects below that path, and a folder of this host cannot be a file as well',
      next: 'choose another path, or remove what is below it',
    });
  }

  async function compareAndReplace(
    path: string,
    temporary: string,
    condition: { readonly ifVersion: string },
  ): Promise<void> {
    const conflict = conflictOf(condition, await readVersion(path));
    if (conflict !== undefined) throw new ConflictError(url, path, conflict);
    await replace(temporary, join(root, path));
  }

  async function write(
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    condition: WriteCondition,
    signal?: AbortSignal,
  ): Promise<{ version: string }> {
    await refuseForeign();
    await makeFolder(temporaries, 0o700);
    await sweepTemporaries();
    const temporary = await writeTemporary(temporaries, chunks, fileMode(path), signal);
    try {
      // The version of a file stays the same when it gets its name.
      const version = (await describeObject(temporary, signal))?.version;
      if (version === undefined) throw new Error(`${temporary} was removed by another process`);
      if ('ifAbsent' in condition) await create(path, temporary);
      else await withExclusiveLock(lock, signal, () => compareAndReplace(path, temporary, condition));
      return { version };
    } finally {
      await removeIfThere(temporary);
    }
  }

  async function compareAndDelete(path: string, condition: { readonly ifVersion: string } | undefined): Promise<void> {
    const version = await readVersion(path);
    if (version === undefined) return;
    const conflict = condition === undefined ? undefined : conflictOf(condition, version);
    if (conflict !== undefined) throw new ConflictError(url, path, conflict);
    await unlink(join(root, path));
    await syncFolder(dirname(join(root, path)));
    await removeEmptyFolders(dirname(join(root, path)), root);
  }

  return {
    url,

    async read(path, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`read ${path} in ${url}`, () => readObject(join(root, path), signal));
    },

    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`write ${path} in ${url}`, () => write(path, [bytes], condition, signal));
    },

    async readStream(path, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`read ${path} in ${url}`, () => streamObject(join(root, path), signal));
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`write ${path} in ${url}`, () => write(path, chunks, condition, signal));
    },

    async delete(path, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      await attempt(`delete ${path} in ${url}`, async () => {
        if ((await readVersion(path, signal)) === undefined) return;
        await refuseForeign();
        await makeFolder(own, 0o700);
        await withExclusiveLock(lock, signal, () => compareAndDelete(path, condition));
      });
    },

    async list(prefix, signal) {
      const folder = folderOfPrefix(url, prefix);
      return attempt(`list ${prefix === '' ? 'all' : prefix} in ${url}`, async () => {
        const entries: Entry[] = [];
        for (const path of await pathsBelow(root, folder)) {
          const described = await describeObject(join(root, path), signal);
          if (described !== undefined) entries.push({ path, ...described });
        }
        return entries.sort((a, b) => comparePaths(a.path, b.path));
      });
    },
  };
}

function rootOf(url: string): string {
  try {
    return resolve(fileURLToPath(url));
  } catch (cause) {
    throw new ActionableError({
      what: `open the state store ${url}`,
      why: messageOf(cause),
      next: 'name a folder of this host by its absolute path, e.g. file:///var/lib/kops',
      cause,
    });
  }
}

/** Only the owner may read keys and secrets; every user who may enter the root folder may read the rest. */
function isSecret(path: string): boolean {
  return path.split('/').some((part) => part === 'pki' || part === 'secrets');
}

function fileMode(path: string): number {
  return isSecret(path) ? 0o600 : 0o644;
}

function folderMode(path: string): number {
  return isSecret(path) ? 0o700 : 0o755;
}

async function pathsBelow(root: string, folder: string): Promise<string[]> {
  const paths: string[] = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const item of await readFolder(join(root, next))) {
      if (item.name.startsWith(RESERVED_PREFIX)) continue;
      if (item.isDirectory()) pending.push(`${next}${item.name}/`);
      else if (item.isFile()) paths.push(next + item.name);
    }
  }
  return paths;
}

async function readFolder(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (thrown) {
    if (isAbsence(thrown)) return [];
    throw thrown;
  }
}

/** Folders are not objects: a folder is removed with the last object below it, as in S3. */
async function removeEmptyFolders(folder: string, root: string): Promise<void> {
  for (let next = folder; next.length > root.length && next !== dirname(next); next = dirname(next)) {
    try {
      await rmdir(next);
    } catch (thrown) {
      const code = codeOf(thrown);
      if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
      if (code !== 'ENOENT') throw thrown;
    }
  }
}

async function removeIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (thrown) {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
  }
}

/** Adds to a system error which object it was about. */
async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === undefined || thrown instanceof ActionableError || code === 'ABORT_ERR') throw thrown;
    throw new ActionableError({ what, why: messageOf(thrown), next: nextAfter(code), cause: thrown });
  }
}

function nextAfter(code: string): string {
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'run as the user who owns the store (root, on a node), or name another store with --state';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'free space on the disk of the store, then repeat the command; what was there before is untouched';
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return 'there is a file where a folder is needed, or the reverse; choose another path, or remove that file';
    default:
      return 'check the disk and the mount of the store, then repeat the command';
  }
}
