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
        resource('aws_s3_object', name, {
          bucket: place.bucket,
          content: file('aws_s3_object', name, 'content', content),
          key: place.key,
          provider: expression('aws.files'),
          server_side_encryption: 'AES256',
        }),
      ];
    },
    output: noOutput,
  },
});
