import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** etcd lays its log out in pieces of 64 MB (wal.SegmentSizeBytes), two of them; the rest is for its database. */
const SIZE_MIB = 192;
const FILLER = 'filler';

/** A disk of its own for one volume, small enough to be filled within a second. */
export async function mountSmallDisk(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder]);
}

/** Fine where there is none. */
export async function unmountSmallDisk(folder: string): Promise<void> {
  await execa('umount', ['--lazy', folder], { reject: false });
}

/** Leaves not a byte on the disk. */
export async function fillDisk(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await execa('fallocate', ['-l', String(bavail * bsize), join(folder, FILLER)]);
  // What is left is less than a page.
  await writeFile(join(folder, `${FILLER}.rest`), Buffer.alloc(bsize)).catch(() => undefined);
}

export async function freeDisk(folder: string): Promise<void> {
  await rm(join(folder, FILLER), { force: true });
  await rm(join(folder, `${FILLER}.rest`), { force: true });
}
