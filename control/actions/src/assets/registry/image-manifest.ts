import { createHash } from 'node:crypto';
import * as z from 'zod';

/** A manifest of a registry, for one platform or an index of several (OCI image specification 1.1). */
export interface Manifest {
  readonly digest: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Manifests of single platforms, for an index of several. */
  readonly manifests: readonly string[];
  /** The configuration and the layers. */
  readonly blobs: readonly string[];
}

/** It becomes part of an address, and only this kind of digest is compared with the bytes that come. */
const part = z.object({ digest: z.string().regex(/^sha256:[0-9a-f]{64}$/) });
const manifestSchema = z.object({
  mediaType: z.string().optional(),
  manifests: z.array(part).optional(),
  config: part.optional(),
  layers: z.array(part).optional(),
});

/** Pure. @throws Error for a text that is not a manifest, or that names parts other than by their SHA-256 */
export function parseManifest(bytes: Buffer, contentType: string): Manifest {
  const { mediaType, manifests = [], config, layers = [] } = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  const parts = [...(config === undefined ? [] : [config]), ...layers];
  return {
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    type: mediaType ?? contentType,
    bytes,
    manifests: manifests.map(({ digest }) => digest),
    blobs: [...new Set(parts.map(({ digest }) => digest))],
  };
}
