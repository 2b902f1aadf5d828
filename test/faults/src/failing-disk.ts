import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { execa } from 'execa';

/** Room for etcd's log, which has two segments of 64 MB, and a database. The image is sparse. */
const SIZE_MIB = 256;

/** Why disks cannot be made to fail on this machine; undefined if they can. */
export async function whyNoFailingDisks(): Promise<string | undefined> {
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices (/dev/loop-control)';
  const found = await execa('mkfs.ext4', ['-V'], { reject: false });
  return found.failed ? 'there is no mkfs.ext4 (e2fsprogs)' : undefined;
}

/** Mounts a disk of its own for one volume. Its file system turns read-only at its first error, as on real machines. */
export async function mountFailingDisk(folder: string): Promise<void> {
  const image = `${folder}.ext4`;
  await mkdir(folder, { recursive: true });
  await execa('truncate', ['-s', `${SIZE_MIB}M`, image]);
  await execa('mkfs.ext4', ['-q', '-F', image]);
  await execa('mount', ['-o', 'loop,errors=remount-ro', image, folder]);
}

/** Makes the disk report an error (kernel, ext4's sysfs). Files that are already open for writing fail as well. */
export async function failDisk(folder: string): Promise<void> {
  const { stdout } = await execa('findmnt', ['-n', '-o', 'SOURCE', folder]);
  await writeFile(`/sys/fs/ext4/${basename(stdout.trim())}/trigger_fs_error`, '1');
}
