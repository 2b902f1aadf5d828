import type { TerraformKind } from '@kopsctl/model/terraform/kind.ts';
import { expression } from '@kopsctl/model/terraform/value.ts';
import { noOutput, resource } from '@kopsctl/model/terraform/resource.ts';

interface StoredFile {
  /** Relative to the cluster's folder in the bucket. */
  readonly path: string;
  readonly content: string;
}

/** A folder of a bucket; empty for all of it. */
export interface Folder {
  readonly bucket: string;
  readonly folder: string;
}

/**
 * The files that machines read, as objects of the bucket that holds the cluster.
 *
 * @param elsewhere folders below that of the cluster, and what is used in their stead
 */
export function storedFiles(
  own: Folder,
  elsewhere: readonly (Folder & { readonly below: string })[],
): {
  readonly ManagedFile: TerraformKind<StoredFile>;
} {
  const placeOf = (path: string): { readonly bucket: string; readonly key: string } => {
    const other = elsewhere.find(({ below }) => path.startsWith(`${below}/`));
    const { bucket, folder } = other ?? own;
    const rest = other === undefined ? path : path.slice(other.below.length + 1);
    return { bucket, key: folder === '' ? rest : `${folder}/${rest}` };
  };
  return {
    ManagedFile: {
      resources(name, { path, content }, { file }) {
        const { bucket, key } = placeOf(path);
        const object = resource('aws_s3_object', name, {
          bucket,
          content: file('aws_s3_object', name, 'content', content),
          key,
          provider: expression('aws.files'),
          server_side_encryption: 'AES256',
        });
        return [object];
      },
      output: noOutput,
    },
  };
}
