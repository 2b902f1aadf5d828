import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';
import type { BucketPlace } from '../bucket-place.ts';

interface StoredFile {
  /** Relative to the cluster's folder in the bucket. */
  readonly path: string;
  readonly content: string;
}

/**
 * The files that machines read, as objects of the bucket that holds the cluster.
 *
 * @param elsewhere folders below that of the cluster, and what is used in their stead
 */
export const storedFiles = (
  own: BucketPlace,
  elsewhere: readonly (BucketPlace & { readonly below: string })[],
): { readonly ManagedFile: TerraformKind<StoredFile> } => ({
  ManagedFile: {
    resources(name, { path, content }, { file }) {
      const other = elsewhere.find(({ below }) => path.startsWith(`${below}/`));
      const { bucket, folder } = other ?? own;
      const object = resource('google_storage_bucket_object', name, {
        bucket,
        content: file('google_storage_bucket_object', name, 'content', content),
        name: folder + (other === undefined ? path : path.slice(other.below.length + 1)),
        provider: expression('google.files'),
      });
      return [object];
    },
    output: noOutput,
  },
});
