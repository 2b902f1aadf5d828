import { constants } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/**
 * Makes the folder and those above it. Node's own `recursive` never ends where a folder refuses new folders with ENOENT,
 * as /proc does.
 *
 * @param isDurable whether each folder that is made has reached the disk once this resolves
 */
export async function makeFolder(folder: string, mode: number, isDurable = true): Promise<void> {
  try {
    await makeOne(folder, mode, isDurable);
  } catch (error) {
    const parent = dirname(folder);
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent, mode, isDurable);
    await makeOne(folder, mode, isDurable);
  }
}

async function makeOne(folder: string, mode: number, isDurable: boolean): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    throw error;
  }
  if (isDurable) await syncFolder(dirname(folder));
}

/** A rename, link or unlink survives a power failure only once its folder has reached the disk. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await handle.sync();
}
