import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';
import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';

interface StoredFile {
  /** Relative to the cluster's folder in the bucket. */
  readonly path: string;
  readonly content: string;
}

/** The files that machines read, as objects of the bucket that holds the cluster. */
export function storedFiles({ bucket, folder }: { readonly bucket: string; readonly folder: string }): {
  readonly ManagedFile: TerraformKind<StoredFile>;
} {
  return {
    ManagedFile: {
      resources: (name, { path, content }, { file }) => [
        resource('aws_s3_object', name, {
          bucket,
          content: file('aws_s3_object', name, 'content', content),
          key: folder === '' ? path : `${folder}/${path}`,
          provider: expression('aws.files'),
          server_side_encryption: 'AES256',
        }),
      ],
      output: noOutput,
    },
  };
}
