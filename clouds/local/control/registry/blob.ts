import type { TarPart } from './tar-index.ts';

/** A blob of an image: a part of an archive, or a manifest or configuration that was read. */
export type Blob =
  | { readonly path: string; readonly part: TarPart }
  | {
      readonly bytes: Buffer;
      /** What a manifest or an index of manifests says that it is; absent for other blobs. */
      readonly mediaType?: string;
    };

/** What an archive gives a registry. */
export interface ArchivedImages {
  /** The digest of each image's manifest, or of the index of its manifests, by the names that the archive gives it. */
  readonly manifests: ReadonlyMap<string, string>;
  /** Manifests, configurations and layers by digest. */
  readonly blobs: ReadonlyMap<string, Blob>;
}
