import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder, syncFolder } from './folder.ts';

/** What to write: the content, or the file to copy. */
export type Source = string | Uint8Array | { readonly copyOf: string };

export interface Replacement {
  readonly mode: number;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** The mode of the folders above the file that have to be made. Without it they must be there. */
  readonly folderMode?: number;
  /**
   * False where the file may be lost, or cut short, by a power failure: flushing a hundred files among gigabytes of
   * others takes a third of a boot. True, which is the default: once this resolves, the file is on the disk.
   */
  readonly durable?: boolean;
  /**
   * True where several processes, or several calls of one, may write the file at the same time. Then each writes to a
   * temporary file of its own, which stays behind when its process is killed. Where this is false, the next write
   * replaces such a file.
   */
  readonly hasManyWriters?: boolean;
}

/**
 * Replaces a file in one step: a reader finds the old content or the new one, also after a crash.
 *
 * The name of the temporary file begins with a dot, so that kubelet does not read it as a manifest, nor systemd as a unit.
 */
export async function replaceFile(path: string, source: Source, replacement: Replacement): Promise<void> {
  const { mode, owner, folderMode, durable = true, hasManyWriters = false } = replacement;
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.kops-new${hasManyWriters ? `-${randomUUID()}` : ''}`);
  if (folderMode !== undefined) await makeFolder(folder, folderMode, durable);
  try {
    const isCopy = typeof source === 'object' && 'copyOf' in source;
    if (isCopy) await copyFile(source.copyOf, temporary, constants.COPYFILE_FICLONE);
    {
      // 0600 until the owner is set: the content may be a key.
      await using file = await open(temporary, isCopy ? 'r+' : 'w', 0o600);
      if (!isCopy) await file.writeFile(source);
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      await file.chmod(mode);
      if (durable) await file.sync();
    }
    await rename(temporary, path);
  } catch (error) {
    // What failed first is what matters; the next write replaces what stays behind.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (durable) await syncFolder(folder);
}
