import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { codeOf } from '@kopsctl/errors/actionable-error.ts';

/** etcd allocates two log segments of 64 MB (wal.SegmentSizeBytes). The rest is for its database. */
const SIZE_MIB = 192;
const FILLER = 'filler';
const CHUNK_BYTES = 1024 * 1024;

/** Mounts a disk of its own for one volume, small enough to be filled within a second. */
export async function mountSmallDisk(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MIB}m`, 'tmpfs', folder]);
}

/** Does nothing if there is no such disk. */
export async function unmountSmallDisk(folder: string): Promise<void> {
  await execa('umount', ['--lazy', folder], { reject: false });
}

/**
 * Fills the disk completely. It writes until there is no room, because etcd may take some of the free space meanwhile, and
 * then an allocation of all that was free before would fail as a whole.
 */
export async function fillDisk(folder: string): Promise<void> {
  await using file = await open(join(folder, FILLER), 'w');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  try {
    for (;;) await file.write(chunk);
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC') throw error;
  }
}

export async function freeDisk(folder: string): Promise<void> {
  await rm(join(folder, FILLER));
}
