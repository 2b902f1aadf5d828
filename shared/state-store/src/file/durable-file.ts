import { constants } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { syncFolder } from '@kopsctl/files/folder.ts';

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

/** write(2) may write less than it is given: when the disk is nearly full, and when given more than 2 GiB. */
async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength;) {
    offset += (await file.write(bytes, offset)).bytesWritten;
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
