import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file in one moment that a crash cannot split: temporary file, fsync, rename, fsync of the folder. */
export async function writeAtomically(
  path: string,
  text: string,
  mode: number,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    {
      await using file = await open(temporary, 'wx', mode);
      await file.writeFile(text);
      await file.chmod(mode);
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      await file.sync();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
}
