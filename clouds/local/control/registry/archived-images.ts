import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { tarIndex, type TarPart } from './tar-index.ts';

/** A blob of an image: bytes of an archive, or what was made of them. */
export type Blob = { readonly path: string; readonly part: TarPart } | { readonly bytes: Buffer };

/** What an archive gives a registry. */
export interface ArchivedImages {
  /** The digest of each image's manifest, by the names that the archive gives it. */
  readonly manifests: ReadonlyMap<string, string>;
  /** Manifests, configurations and layers by digest. */
  readonly blobs: ReadonlyMap<string, Blob>;
}

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG_TYPE = 'application/vnd.oci.image.config.v1+json';
const LAYER_TYPE = 'application/vnd.oci.image.layer.v1.tar';

/** Manifests and configurations have some kilobytes. */
const MAX_JSON_BYTES = 4 << 20;

const savedSchema = z.array(
  z.object({ Config: z.string(), RepoTags: z.array(z.string()).nullish(), Layers: z.array(z.string()) }),
);
const configSchema = z.object({ rootfs: z.object({ diff_ids: z.array(z.string().regex(/^sha256:[0-9a-f]{64}$/)) }) });

/**
 * Reads an archive as `docker save` writes it. Its layers are not compressed, so the digest of each stands in the
 * configuration and none is read here.
 *
 * @throws Error that says what is wrong with the archive
 */
export async function archivedImages(path: string): Promise<ArchivedImages> {
  const file = await open(path, 'r');
  try {
    const parts = await tarIndex(file);
    const read = (name: string) => jsonIn(file, parts, name);
    const manifests = new Map<string, string>();
    const blobs = new Map<string, Blob>();
    for (const saved of savedSchema.parse(JSON.parse((await read('manifest.json')).toString('utf8')))) {
      const config = await read(saved.Config);
      const { diff_ids: digests } = configSchema.parse(JSON.parse(config.toString('utf8'))).rootfs;
      if (digests.length !== saved.Layers.length)
        throw new Error(`${saved.Config} has other layers than manifest.json`);
      const layers = saved.Layers.map((name, index) => ({ part: partOf(parts, name), digest: digests[index] ?? '' }));
      for (const { part, digest } of layers) blobs.set(digest, { path, part });
      blobs.set(digestOf(config), { bytes: config });
      const manifest = manifestOf(config, layers);
      blobs.set(digestOf(manifest), { bytes: manifest });
      for (const name of saved.RepoTags ?? []) manifests.set(name, digestOf(manifest));
    }
    return { manifests, blobs };
  } finally {
    await file.close();
  }
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

function partOf(parts: ReadonlyMap<string, TarPart>, name: string): TarPart {
  const part = parts.get(name);
  if (part === undefined) throw new Error(`it has no ${name}`);
  return part;
}

async function jsonIn(file: FileHandle, parts: ReadonlyMap<string, TarPart>, name: string): Promise<Buffer> {
  const { offset, size } = partOf(parts, name);
  if (size > MAX_JSON_BYTES) throw new Error(`${name} has ${size} bytes, too many for JSON`);
  const bytes = Buffer.alloc(size);
  const { bytesRead } = await file.read(bytes, 0, size, offset);
  if (bytesRead < size) throw new Error(`it ends within ${name}`);
  return bytes;
}
