import { terraformFolder } from '@kopsctl/model/terraform/configuration.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { regionOf } from '../region.ts';
import { AWS_TERRAFORM } from './aws-terraform.ts';
import { awsBlocks } from './blocks.ts';
import { storedFiles } from './stored-file.ts';

/**
 * Writes clusters in AWS for Terraform. Where the state store is in S3, the files that machines read are part of the
 * configuration.
 */
export const awsTerraform: TerraformTarget = {
  writesFiles: (cluster) => s3Folder(cluster) !== undefined,
  render(cluster, tasks, isWritten) {
    const { spec, metadata } = cluster;
    const bucket = s3Folder(cluster);
    const wish = spec.target?.terraform;
    return terraformFolder({
      tasks,
      isWritten,
      kinds: { ...AWS_TERRAFORM, ...(bucket === undefined ? {} : storedFiles(bucket)) },
      blocks: awsBlocks(tasks, {
        clusterName: metadata.name,
        region: regionOf(metadata.name, spec),
        providerConfig: wish?.providerExtraConfig ?? {},
        filesProviderConfig: wish?.filesProviderExtraConfig ?? {},
      }),
    });
  },
};

/** Splits `s3://bucket/folder`, the folder of the cluster. */
function s3Folder({ spec }: Cluster): { readonly bucket: string; readonly folder: string } | undefined {
  const found = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(spec.configBase ?? '');
  return found === null ? undefined : { bucket: found[1] ?? '', folder: found[2] ?? '' };
}
