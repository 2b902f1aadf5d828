import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';
import type { BucketPlace } from '../bucket-place.ts';

interface StoredFile {
  /** Relative to the cluster's folder in the bucket. */
  readonly path: string;
  readonly content: string;
}

/** The files that machines read, as objects of the bucket that holds the cluster. */
export const storedFiles = ({ bucket, folder }: BucketPlace): { readonly ManagedFile: TerraformKind<StoredFile> } => ({
  ManagedFile: {
    resources: (name, { path, content }, { file }) => [
      resource('google_storage_bucket_object', name, {
        bucket,
        content: file('google_storage_bucket_object', name, 'content', content),
        name: folder + path,
        provider: expression('google.files'),
      }),
    ],
    output: noOutput,
  },
});
