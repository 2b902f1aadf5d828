import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ArchiveFile } from './archive-file.ts';
import type { ArchivedImages, Blob } from './blob.ts';
import type { TarPart } from './tar-index.ts';

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG_TYPE = 'application/vnd.oci.image.config.v1+json';
const LAYER_TYPE = 'application/vnd.oci.image.layer.v1.tar';

const savedSchema = z.array(
  z.object({ Config: z.string(), RepoTags: z.array(z.string()).nullish(), Layers: z.array(z.string()) }),
);
const configSchema = z.object({ rootfs: z.object({ diff_ids: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)) }) });

/**
 * The images of an archive as `docker save` writes it, which has no manifests: they are made here. Its layers are not
 * compressed, so the digest of each is in the configuration.
 */
export async function savedImages(archive: ArchiveFile): Promise<ArchivedImages> {
  const manifests = new Map<string, string>();
  const blobs = new Map<string, Blob>();
  for (const saved of savedSchema.parse(JSON.parse((await archive.json('manifest.json')).toString('utf8')))) {
    const config = await archive.json(saved.Config);
    const { diff_ids: digests } = configSchema.parse(JSON.parse(config.toString('utf8'))).rootfs;
    if (digests.length !== saved.Layers.length) throw new Error(`${saved.Config} has other layers than manifest.json`);
    const layers = saved.Layers.map((name, index) => ({ part: archive.part(name), digest: digests[index] ?? '' }));
    for (const { part, digest } of layers) blobs.set(digest, { path: archive.path, part });
    blobs.set(digestOf(config), { bytes: config });
    const manifest = manifestOf(config, layers);
    blobs.set(digestOf(manifest), { bytes: manifest, mediaType: MANIFEST_TYPE });
    for (const name of saved.RepoTags ?? []) manifests.set(name, digestOf(manifest));
  }
  return { manifests, blobs };
}

function manifestOf(config: Buffer, layers: readonly { readonly part: TarPart; readonly digest: string }[]): Buffer {
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: { mediaType: CONFIG_TYPE, digest: digestOf(config), size: config.length },
    layers: layers.map(({ part, digest }) => ({ mediaType: LAYER_TYPE, digest, size: part.size })),
  };
  return Buffer.from(JSON.stringify(manifest));
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
