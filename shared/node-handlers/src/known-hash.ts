import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { NodeEnv } from './node-env.ts';
import { replaceFile } from './replace-file.ts';
import { type FileStamp, stampSchema } from './file-stamp.ts';

type HashEnv = Pick<NodeEnv, 'root' | 'hashes'>;

/** Binaries of a hundred megabytes are not read at every run: a stamp holds as long as the file has not been touched. */
const stampPath = (root: string, path: string) =>
  join(root, 'var/lib/kops/stamps', createHash('sha256').update(path).digest('hex'));

async function describe(file: string): Promise<Omit<FileStamp, 'sha256'> | undefined> {
  const found = await ifThere(stat(file, { bigint: true }));
  if (found === undefined) return undefined;
  const { size, mtimeNs, ctimeNs, ino } = found;
  return { size: Number(size), mtimeNs: String(mtimeNs), ctimeNs: String(ctimeNs), inode: String(ino) };
}

async function readStamp(root: string, path: string): Promise<FileStamp | undefined> {
  try {
    return stampSchema.parse(JSON.parse(await readFile(stampPath(root, path), 'utf8')));
  } catch {
    // Missing, unreadable, torn or not a stamp: hashing the file again is always right.
    return undefined;
  }
}

/** The SHA-256 of a file below root, or undefined when there is none. Reads it only when it changed since it was last known. */
export async function knownSha256(
  { root, hashes }: HashEnv,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = join(root, path);
  const now = await describe(file);
  if (now === undefined) return undefined;
  const stamp = hashes.get(path) ?? (await readStamp(root, path));
  if (stamp !== undefined && isSame(stamp, now)) return stamp.sha256;
  const sha256 = await sha256OfFile(file, signal);
  // The file was described before it was read: one that changes meanwhile is hashed again.
  hashes.set(path, { sha256, ...now });
  return sha256;
}

const isSame = (stamp: FileStamp, now: Omit<FileStamp, 'sha256'>): boolean =>
  stamp.size === now.size &&
  stamp.mtimeNs === now.mtimeNs &&
  stamp.ctimeNs === now.ctimeNs &&
  stamp.inode === now.inode;

/** Refuses a file that no longer has the hash of the plan, before it is used. */
export async function expectSha256(env: HashEnv, path: string, sha256: string, signal: AbortSignal): Promise<void> {
  const found = await knownSha256(env, path, signal);
  if (found === sha256) return;
  throw new PermanentError({
    what: `use ${path}`,
    why:
      found === undefined
        ? 'it has disappeared since it was checked'
        : `its SHA-256 is ${found}, but the plan wants ${sha256}: it was changed since it was checked`,
    next: 'download it again: systemctl restart nodeup',
  });
}

/** Records the hash of a file that was just written. */
export async function stampFile({ root, hashes }: HashEnv, path: string, sha256: string): Promise<void> {
  const now = await describe(join(root, path));
  if (now === undefined) throw new Error(`${path} disappeared right after it was written`);
  const stamp: FileStamp = { sha256, ...now };
  hashes.set(path, stamp);
  await replaceFile(stampPath(root, path), new TextEncoder().encode(JSON.stringify(stamp)), 0o644, undefined);
}
