import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { execa } from 'execa';

/** Room for etcd's log, two pieces of 64 MB, and a database; the image has holes where nothing was written. */
const SIZE_MIB = 256;

/** Why disks cannot be made to fail here; undefined: they can. */
export async function whyNoFailingDisks(): Promise<string | undefined> {
  if (!existsSync('/dev/loop-control')) return 'there are no loop devices (/dev/loop-control)';
  const found = await execa('mkfs.ext4', ['-V'], { reject: false });
  return found.failed ? 'there is no mkfs.ext4 (e2fsprogs)' : undefined;
}

/** A disk of its own for one volume, with a file system that goes read-only at its first error, as on real machines. */
export async function mountFailingDisk(folder: string): Promise<void> {
  const image = `${folder}.ext4`;
  await mkdir(folder, { recursive: true });
  await execa('truncate', ['-s', `${SIZE_MIB}M`, image]);
  await execa('mkfs.ext4', ['-q', '-F', image]);
  await execa('mount', ['-o', 'loop,errors=remount-ro', image, folder]);
}

/** The disk reports an error: files that are open for writing take no more writes either (kernel, ext4's sysfs). */
export async function failDisk(folder: string): Promise<void> {
  const { stdout } = await execa('findmnt', ['-n', '-o', 'SOURCE', folder]);
  await writeFile(`/sys/fs/ext4/${basename(stdout.trim())}/trigger_fs_error`, '1');
}
