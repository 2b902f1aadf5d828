import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { checkPath, comparePaths, folderOfPrefix } from '../path.ts';
import type { Entry, StateStore } from '../store.ts';
import { describeObject, readObject, streamObject } from './file-version.ts';
import { fileSystemType } from './network-file-system.ts';
import { type FileStoreOptions, StoreFolder } from './store-folder.ts';

/**
 * A store in a folder of this host, shared by any number of processes.
 *
 * Contents reach the disk in a temporary file and then get their name in one step: link(2), which fails when the
 * name is taken, for a creation; rename(2) for a replacement. Replacements and deletions compare and act under one
 * lock, creations need none. So at whatever point a process is killed, an object is whole, old or new. On a file system of
 * another machine none of that holds, so nothing is changed there.
 */
export function createFileStore(
  url: string,
  { typeOf = fileSystemType, isPrivate = false }: Partial<FileStoreOptions> = {},
): StateStore {
  const folder = new StoreFolder(url, rootOf(url), { typeOf, isPrivate });
  return {
    url,

    async read(path, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`read ${path} in ${url}`, () => readObject(folder.at(path), signal));
    },

    async write(path, bytes, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`write ${path} in ${url}`, () => folder.write(path, [bytes], condition, signal));
    },

    async readStream(path, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`read ${path} in ${url}`, () => streamObject(folder.at(path), signal));
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      return attempt(`write ${path} in ${url}`, () => folder.write(path, chunks, condition, signal));
    },

    async delete(path, condition, signal) {
      checkPath(url, path);
      signal?.throwIfAborted();
      await attempt(`delete ${path} in ${url}`, () => folder.delete(path, condition, signal));
    },

    async list(prefix, signal) {
      const below = folderOfPrefix(url, prefix);
      return attempt(`list ${prefix === '' ? 'all' : prefix} in ${url}`, async () => {
        const entries: Entry[] = [];
        for (const path of await folder.pathsBelow(below)) {
          const described = await describeObject(folder.at(path), signal);
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
      isUsage: true,
      cause,
    });
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
