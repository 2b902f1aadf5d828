import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fullImageName } from '@kopsctl/spec/image-reference.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { parseAssetIndex } from '@kopsctl/assets/parse-asset-index.ts';
import { archivedImages } from './archived-images.ts';
import type { ArchivedImages, Blob } from './blob.ts';

/** The images of the prepared assets, as a registry finds them. */
export interface ImageLibrary {
  /** @param image a full name with a tag, e.g. docker.io/library/busybox:1.35 */
  manifestDigest(image: string): Promise<string | undefined>;
  blob(digest: string): Promise<Blob | undefined>;
}

interface ReadArchive extends ArchivedImages {
  /** Tells whether the archive was written again. */
  readonly version: string;
}

/**
 * Reads each archive once, when an image is first asked for, and again after it was written again: assets are prepared
 * while clusters run.
 *
 * @param log told which archive cannot be read; the others are served
 */
export function imageLibrary(assetsDir: () => string, log: Log): ImageLibrary {
  const archives = new Map<string, ReadArchive>();

  const readAgain = async (path: string): Promise<ReadArchive> => {
    const { mtimeMs, size, ino } = await stat(path);
    const version = `${mtimeMs} ${size} ${ino}`;
    const known = archives.get(path);
    if (known?.version === version) return known;
    const archive = { ...(await archivedImages(path)), version };
    archives.set(path, archive);
    return archive;
  };

  const all = async (): Promise<readonly ReadArchive[]> => {
    const index = join(assetsDir(), 'index.json');
    const entries = parseAssetIndex(await readFile(index, 'utf8'), index).assets.filter(({ name }) =>
      name.startsWith('image/'),
    );
    const read = entries.map(async ({ file }) => {
      try {
        return [await readAgain(join(assetsDir(), file))];
      } catch (error) {
        log.error('archive not served', { file, error });
        return [];
      }
    });
    return (await Promise.all(read)).flat();
  };

  return {
    async manifestDigest(image) {
      for (const { manifests } of await all()) {
        for (const [name, digest] of manifests) if (fullImageName(name) === image) return digest;
      }
      return undefined;
    },
    async blob(digest) {
      return (await all()).map(({ blobs }) => blobs.get(digest)).find((found) => found !== undefined);
    },
  };
}
