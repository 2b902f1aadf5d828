import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { sha256OfFile } from '@kopsctl/files/sha256-of-file.ts';
import { layerFolder, layerFolderPath, exists } from './layer-folder.ts';
import { importImages } from './import-images.ts';
import type { ContainerImages } from './wanted-images.ts';

const NAME = 'containerd';

/** Raised when images are stored differently, so that no machine starts with what an older version of this file made. */
const FORMAT = 1;

const inputsOf = ({ containerd, images }: ContainerImages) => ({
  format: FORMAT,
  containerd: containerd.sha256,
  images: images.map(({ image, sha256 }) => ({ image, sha256 })),
});

/** The folder with the images, or undefined if it has not been made. */
export async function findContainerImages(cache: string, wanted: ContainerImages): Promise<string | undefined> {
  const folder = layerFolderPath(cache, NAME, inputsOf(wanted));
  return (await exists(folder)) ? folder : undefined;
}

/**
 * Returns a folder that can be the first /var/lib/containerd of a machine, with the images imported and unpacked, and
 * makes it if it is not in the cache. Importing them in each machine would take six seconds of a boot.
 */
export async function ensureContainerImages(
  cache: string,
  wanted: ContainerImages,
  signal?: AbortSignal,
): Promise<string> {
  const folder = await layerFolder(cache, NAME, inputsOf(wanted), async (draft) => {
    await removeUnused(cache);
    await verify(wanted);
    await importImages(draft, wanted, signal);
  });
  const now = new Date();
  await utimes(folder, now, now);
  return folder;
}

async function verify({ assetsDir, containerd, images }: ContainerImages): Promise<void> {
  for (const { file, sha256 } of [containerd, ...images]) {
    const path = join(assetsDir, file);
    if ((await sha256OfFile(path)) === sha256) continue;
    throw new ActionableError({
      what: `import the container image archive ${path}`,
      why: 'it is not the file that the asset index describes: its SHA-256 differs',
      next: 'prepare the assets again with `npm run assets`, then run the command again',
    });
  }
}

/** A set of images takes up to a gigabyte. Machines keep what they need of it: they hold links to the same files. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

async function removeUnused(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!/^containerd-[0-9a-f]{16}$/.test(name)) continue;
    const folder = join(cache, name);
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
}
