import { constants } from 'node:fs';
import { chown, copyFile, mkdir, open, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { cannotWrite, isOfTheDisk } from './disk-error.ts';
import type { Owner } from './owner.ts';

/**
 * Replaces a file in one step: a process that is killed leaves the old file or the new one, never a half.
 *
 * Nothing is flushed: a hundred flushes among gigabytes of images took a third of a boot, and what a power failure
 * may cut short is found by content or size at the next boot, which converges again before anybody is told the node
 * is done.
 *
 * `source` is the content, or the path of a file to copy. Folders above it are made, 0755.
 */
export async function replaceFile(
  path: string,
  source: Uint8Array | { readonly copyOf: string },
  mode: number,
  owner: Owner | undefined,
): Promise<void> {
  const folder = dirname(path);
  // Always the same name: what a killed run left behind is written over by the next.
  const temporary = join(folder, `.${basename(path)}.kops-new`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o755 });
    if ('copyOf' in source) await copyFile(source.copyOf, temporary, constants.COPYFILE_FICLONE);
    const file = await open(temporary, 'copyOf' in source ? 'r+' : 'w', 0o600);
    try {
      if (!('copyOf' in source)) await file.writeFile(source);
      await file.chmod(mode);
      if (owner !== undefined) await chown(temporary, owner.uid, owner.gid);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    if (isOfTheDisk(error)) throw cannotWrite(path, error);
    if (codeOf(error) === 'EISDIR') throw aFolderIsThere(path, error);
    throw error;
  }
}

function aFolderIsThere(path: string, cause: unknown): PermanentError {
  return new PermanentError({
    what: `write ${path}`,
    why: 'a folder is there, and whatever it holds is not ours to remove',
    next: `look at it, and move it away: mv ${path} ${path}.old`,
    cause,
  });
}
