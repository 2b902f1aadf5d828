import { replaceFile as replace, type Source } from '@kopsctl/files/replace-file.ts';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import { cannotWrite, isOfTheDisk } from './disk-error.ts';
import type { Owner } from './owner.ts';

/**
 * Replaces a file in one step. Nothing is flushed: a hundred flushes among gigabytes of images took a third of a boot,
 * and the next boot finds by content or size what a power failure cut short, before it reports the node as done.
 */
export async function replaceFile(path: string, source: Source, mode: number, owner: Owner | undefined): Promise<void> {
  try {
    await replace(path, source, { mode, owner, folderMode: 0o755, durable: false });
  } catch (error) {
    if (isOfTheDisk(error)) throw cannotWrite(path, error);
    if (codeOf(error) === 'EISDIR') throw aFolderIsThere(path, error);
    throw error;
  }
}

function aFolderIsThere(path: string, cause: unknown): PermanentError {
  return new PermanentError({
    what: `write ${path}`,
    why: 'a folder is there, and kopsctl does not remove what it has not written',
    next: `look at it, and move it away: mv ${path} ${path}.old`,
    cause,
  });
}
