import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { z } from 'zod';
import { replaceFile } from './replace-file.ts';

/** Size, time and inode of a file whose hash was known. */
const stampSchema = z.object({
  sha256: z.string(),
  size: z.number(),
  mtimeNs: z.string(),
  inode: z.string(),
});
type Stamp = Readonly<z.infer<typeof stampSchema>>;

/** Binaries of a hundred megabytes are not read at every run: a stamp holds as long as the file has not been touched. */
const stampPath = (root: string, path: string) =>
  join(root, 'var/lib/kops/stamps', createHash('sha256').update(path).digest('hex'));

async function describe(file: string): Promise<Omit<Stamp, 'sha256'> | undefined> {
  try {
    const { size, mtimeNs, ino } = await stat(file, { bigint: true });
    return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function readStamp(root: string, path: string): Promise<Stamp | undefined> {
  try {
    return stampSchema.parse(JSON.parse(await readFile(stampPath(root, path), 'utf8')));
  } catch {
    // Missing, unreadable, torn or not a stamp: hashing the file again is always right.
    return undefined;
  }
}

/** The SHA-256 of a file below root, or undefined when there is none. Reads it only when it changed since the stamp. */
export async function knownSha256(root: string, path: string, signal: AbortSignal): Promise<string | undefined> {
  const file = join(root, path);
  const now = await describe(file);
  if (now === undefined) return undefined;
  const stamp = await readStamp(root, path);
  if (stamp !== undefined && stamp.size === now.size && stamp.mtimeNs === now.mtimeNs && stamp.inode === now.inode) {
    return stamp.sha256;
  }
  return sha256OfFile(file, signal);
}

/** Records the hash of a file that was just written. */
export async function stampFile(root: string, path: string, sha256: string): Promise<void> {
  const now = await describe(join(root, path));
  if (now === undefined) throw new Error(`${path} disappeared right after it was written`);
  const stamp: Stamp = { sha256, ...now };
  await replaceFile(stampPath(root, path), new TextEncoder().encode(JSON.stringify(stamp)), 0o644, undefined);
}
