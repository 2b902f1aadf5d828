import type { Dirent } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ActionableError, codeOf } from '@kopsctl/errors/actionable-error.ts';
import { makeFolder, syncFolder } from '@kopsctl/files/folder.ts';
import { conflictOf } from '../condition.ts';
import { RESERVED_PREFIX } from '../path.ts';
import type { WriteCondition } from '../store.ts';
import { ConflictError } from '../store.ts';
import { linkIfFree, replace, writeTemporary } from './durable-file.ts';
import { type ExclusiveLock, withExclusiveLock } from './exclusive-lock.ts';
import { describeObject, isAbsence } from './file-version.ts';
import { type FileSystemType, refuseNetworkFileSystem } from './network-file-system.ts';
import { temporarySweeper } from './sweep-temporaries.ts';

/** How often a folder may vanish under a writer (its last object deleted by another) before that is an error. */
const FOLDER_ATTEMPTS = 20;
/** The holder of the lock only compares and renames. */
const LOCK_LIMIT_MS = 30_000;
/** Folders of a cluster. A backup of etcd has all Secrets of Kubernetes in it. */
const SECRET: readonly string[] = ['pki', 'secrets', 'backups'];

export interface FileStoreOptions {
  readonly typeOf: FileSystemType;
  /** Only the owner may read what is written, whatever its path. */
  readonly isPrivate: boolean;
}

/** The folder of a store, and how its objects are written and removed. */
export class StoreFolder {
  readonly #url: string;
  readonly #root: string;
  readonly #typeOf: FileSystemType;
  readonly #isPrivate: boolean;
  /** What is the store's own, and no object. */
  readonly #own: string;
  readonly #temporaries: string;
  readonly #lock: ExclusiveLock;
  readonly #sweepTemporaries: () => Promise<void>;
  #isOfThisHost = false;

  constructor(url: string, root: string, { typeOf, isPrivate }: FileStoreOptions) {
    this.#url = url;
    this.#root = root;
    this.#typeOf = typeOf;
    this.#isPrivate = isPrivate;
    this.#own = join(root, RESERVED_PREFIX);
    this.#temporaries = join(this.#own, 'tmp');
    this.#lock = { file: join(this.#own, 'lock'), what: `lock the state store ${url}`, waitLimitMs: LOCK_LIMIT_MS };
    this.#sweepTemporaries = temporarySweeper(this.#temporaries);
  }

  at(path: string): string {
    return join(this.#root, path);
  }

  /** The object gets its name once its bytes are on the disk. */
  async write(
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    condition: WriteCondition,
    signal?: AbortSignal,
  ): Promise<{ version: string }> {
    await this.#refuseForeign();
    await makeFolder(this.#temporaries, 0o700);
    await this.#sweepTemporaries();
    const temporary = await writeTemporary(this.#temporaries, chunks, this.#isSecret(path) ? 0o600 : 0o644, signal);
    try {
      // The version of a file stays the same when it gets its name.
      const version = (await describeObject(temporary, signal))?.version;
      if (version === undefined) throw new Error(`${temporary} was removed by another process`);
      if ('ifAbsent' in condition) await this.#create(path, temporary);
      else await withExclusiveLock(this.#lock, signal, () => this.#compareAndReplace(path, temporary, condition));
      return { version };
    } finally {
      await removeIfThere(temporary);
    }
  }

  async delete(path: string, condition: { readonly ifVersion: string } | undefined, signal?: AbortSignal) {
    if ((await this.#readVersion(path, signal)) === undefined) return;
    await this.#refuseForeign();
    await makeFolder(this.#own, 0o700);
    await withExclusiveLock(this.#lock, signal, () => this.#compareAndDelete(path, condition));
  }

  /** The paths of all objects below a folder. */
  async pathsBelow(folder: string): Promise<readonly string[]> {
    const paths: string[] = [];
    const pending = [folder];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const item of await readFolder(this.at(next))) {
        if (item.name.startsWith(RESERVED_PREFIX)) continue;
        if (item.isDirectory()) pending.push(`${next}${item.name}/`);
        else if (item.isFile()) paths.push(next + item.name);
      }
    }
    return paths;
  }

  /** Only the owner may read keys, secrets and backups; every user who may enter the root folder may read the rest. */
  #isSecret(path: string): boolean {
    return this.#isPrivate || path.split('/').some((part) => SECRET.includes(part));
  }

  async #refuseForeign(): Promise<void> {
    if (this.#isOfThisHost) return;
    await refuseNetworkFileSystem(this.#url, this.#root, this.#typeOf);
    this.#isOfThisHost = true;
  }

  async #readVersion(path: string, signal?: AbortSignal): Promise<string | undefined> {
    return (await describeObject(this.at(path), signal))?.version;
  }

  async #create(path: string, temporary: string): Promise<void> {
    const target = this.at(path);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await makeFolder(dirname(target), this.#isSecret(path) ? 0o700 : 0o755);
        if (await linkIfFree(temporary, target)) return;
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT' && attempt < FOLDER_ATTEMPTS) continue;
        throw thrown;
      }
      throw await this.#existsAlready(path);
    }
  }

  async #existsAlready(path: string): Promise<Error> {
    const isFolder = (await readFolder(this.at(path))).length > 0;
    if (!isFolder) return new ConflictError(this.#url, path, 'it was to be created, but it already exists');
    return new ActionableError({
      what: `write ${path} in ${this.#url}`,
      why: 'there are objects below that path, and a folder of this host cannot be a file as well',
      next: 'choose another path, or remove what is below it',
    });
  }

  async #compareAndReplace(path: string, temporary: string, condition: { readonly ifVersion: string }): Promise<void> {
    const conflict = conflictOf(condition, await this.#readVersion(path));
    if (conflict !== undefined) throw new ConflictError(this.#url, path, conflict);
    await replace(temporary, this.at(path));
  }

  async #compareAndDelete(path: string, condition: { readonly ifVersion: string } | undefined): Promise<void> {
    const version = await this.#readVersion(path);
    if (version === undefined) return;
    const conflict = condition === undefined ? undefined : conflictOf(condition, version);
    if (conflict !== undefined) throw new ConflictError(this.#url, path, conflict);
    await unlink(this.at(path));
    await syncFolder(dirname(this.at(path)));
    await removeEmptyFolders(dirname(this.at(path)), this.#root);
  }
}

async function readFolder(folder: string): Promise<readonly Dirent[]> {
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
