import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../processes/run.ts';

/**
 * Makes a machine's own /var/lib/containerd from a folder of imported images. Layers and their content are never
 * modified once they are there, so machines share these files by hard links, and with them the page cache of the host.
 * containerd writes to its databases, so a machine gets copies of those.
 */
export async function linkContainerImages(images: string, into: string): Promise<void> {
  await mkdir(dirname(into), { recursive: true, mode: 0o755 });
  // The state of a cluster may be on another file system than the cache, where no links can be made.
  const what = 'give the machine its container images';
  await run(what, 'cp', ['-a', '--link', images, into]).catch(async () => {
    await rm(into, { recursive: true, force: true });
    await run(what, 'cp', ['-a', '--reflink=auto', images, into]);
  });
  for (const path of await readdir(images, { recursive: true })) {
    if (!path.endsWith('.db')) continue;
    const database = join(into, path);
    await rm(database);
    await copyFile(join(images, path), database);
  }
}
