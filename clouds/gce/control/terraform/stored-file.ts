import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';

interface StoredFile {
  /** Relative to the cluster's folder of the state store. */
  readonly path: string;
  readonly content: string;
}

/** An object of a bucket. */
export interface ObjectPlace {
  readonly bucket: string;
  readonly key: string;
}

/**
 * The files that machines read, as objects of buckets.
 *
 * @param placeOf undefined for a file that is in no bucket of this cloud
 */
export const storedFiles = (
  placeOf: (path: string) => ObjectPlace | undefined,
): { readonly ManagedFile: TerraformKind<StoredFile> } => ({
  ManagedFile: {
    resources(name, { path, content }, { file }) {
      const place = placeOf(path);
      if (place === undefined) return [];
      return [
        resource('google_storage_bucket_object', name, {
          bucket: place.bucket,
          content: file('google_storage_bucket_object', name, 'content', content),
          name: place.key,
          provider: expression('google.files'),
        }),
      ];
    },
    output: noOutput,
  },
});
