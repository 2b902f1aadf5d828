import { open } from 'node:fs/promises';
import { archiveFile } from './archive-file.ts';
import type { ArchivedImages } from './blob.ts';
import { OCI_LAYOUT, ociLayoutImages } from './oci-layout-images.ts';
import { savedImages } from './saved-images.ts';
import { tarIndex } from './tar-index.ts';

/**
 * Reads an archive of images: as `ctr images export` writes it, or else as `docker save` does. No layer is read.
 *
 * @throws Error that says what is wrong with the archive
 */
export async function archivedImages(path: string): Promise<ArchivedImages> {
  const file = await open(path, 'r');
  try {
    const archive = archiveFile(path, file, await tarIndex(file));
    return await (archive.has(OCI_LAYOUT) ? ociLayoutImages(archive) : savedImages(archive));
  } finally {
    await file.close();
  }
}
