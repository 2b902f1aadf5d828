import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** etcd allocates two log segments of 64 MB (wal.SegmentSizeBytes). The rest is for its database. */
const SIZE_MIB = 192;
const FILLER = 'filler';

/** Mounts a disk of its own for one volume, small enough to be filled within a second. */
export async function mountSmallDisk(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder]);
}

/** Does nothing if there is no such disk. */
export async function unmountSmallDisk(folder: string): Promise<void> {
  await execa('umount', ['--lazy', folder], { reject: false });
}

/** Fills the disk completely. */
export async function fillDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await execa('fallocate', ['-l', String(bavail * bsize), join(folder, FILLER)]);
  // Less than a page is left.
  await writeFile(join(folder, `${FILLER}.rest`), Buffer.alloc(bsize)).catch(() => undefined);
}

export async function freeDisk(folder: string): Promise<void> {
  await rm(join(folder, FILLER), { force: true });
  await rm(join(folder, `${FILLER}.rest`), { force: true });
}
