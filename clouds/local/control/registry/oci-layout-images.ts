import * as z from 'zod';
import type { ArchiveFile } from './archive-file.ts';
import type { ArchivedImages, Blob } from './blob.ts';

/** The file by which such an archive is known (OCI image specification 1.1, "OCI Layout Specification"). */
export const OCI_LAYOUT = 'oci-layout';

/** containerd writes the full name of an image here; the annotation of OCI itself holds the tag alone. */
const IMAGE_NAME = 'io.containerd.image.name';

const descriptor = z.object({
  mediaType: z.string(),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  annotations: z.record(z.string(), z.string()).nullish(),
});
type Descriptor = z.infer<typeof descriptor>;

const indexSchema = z.object({ manifests: z.array(descriptor) });
const manifestSchema = z.object({ config: descriptor, layers: z.array(descriptor) });

/** An index of OCI, and Docker's, of which registries still have many. */
const INDEXES = new Set([
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]);

const pathOf = (digest: string): string => `blobs/${digest.replace(':', '/')}`;

/**
 * The images of an archive in the layout of OCI, whose manifests are those of the registry that an image came from. What
 * an index names for other platforms is not in the archive.
 */
export async function ociLayoutImages(archive: ArchiveFile): Promise<ArchivedImages> {
  const manifests = new Map<string, string>();
  const blobs = new Map<string, Blob>();
  const read = async ({ digest, mediaType }: Descriptor): Promise<void> => {
    const bytes = await archive.json(pathOf(digest));
    const content: unknown = JSON.parse(bytes.toString('utf8'));
    blobs.set(digest, { bytes, mediaType });
    if (INDEXES.has(mediaType)) {
      const held = indexSchema.parse(content).manifests.filter((one) => archive.has(pathOf(one.digest)));
      for (const one of held) await read(one);
      return;
    }
    const { config, layers } = manifestSchema.parse(content);
    for (const one of [config, ...layers]) {
      blobs.set(one.digest, { path: archive.path, part: archive.part(pathOf(one.digest)) });
    }
  };
  const { manifests: top } = indexSchema.parse(JSON.parse((await archive.json('index.json')).toString('utf8')));
  for (const one of top) {
    await read(one);
    const name = one.annotations?.[IMAGE_NAME];
    if (name !== undefined) manifests.set(name, one.digest);
  }
  return { manifests, blobs };
}
