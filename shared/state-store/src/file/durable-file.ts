import { constants } from 'node:fs';
import { link, open, readdir, rename, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { syncFolder } from '@kopsctl/files/folder.ts';

/** A temporary file that has not changed for this long has lost its writer. */
const STALE_TEMPORARY_MS = 60 * 60 * 1000;

/** Writes the chunks to a new file in `folder`, under a unique name, and flushes it to the disk. */
export async function writeTemporary(
  folder: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  mode: number,
  signal?: AbortSignal,
): Promise<string> {
  const path = join(folder, `${process.pid}-${randomBytes(9).toString('hex')}`);
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      await writeWhole(file, chunk);
    }
    signal?.throwIfAborted();
    await file.sync();
  } catch (thrown) {
    await file.close();
    await unlink(path);
    throw thrown;
  }
  await file.close();
  return path;
}

/** write(2) may take less than it is given: before a full disk, and of more than 2 GiB. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength;) {
    offset += (await file.write(bytes, offset)).bytesWritten;
  }
}

/** Removes the temporary files of writers that died. */
export async function sweepTemporaries(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    try {
      if (nowMs - (await stat(path)).mtimeMs > STALE_TEMPORARY_MS) await unlink(path);
    } catch (thrown) {
      if (codeOf(thrown) !== 'ENOENT') throw thrown; // Its writer finished just now.
    }
  }
}

/** Gives `temporary` the name `target`. Returns false and does nothing when that name is taken. */
export async function linkIfFree(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
  await syncFolder(dirname(target));
  return true;
}

export async function replace(temporary: string, target: string): Promise<void> {
  await rename(temporary, target);
  await syncFolder(dirname(target));
}
