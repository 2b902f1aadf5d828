import { terraformFolder } from '@kopsctl/model/terraform/configuration.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { wantedPlaces } from '@kopsctl/spec/store-places.ts';
import { regionOf } from '../region.ts';
import { AWS_TERRAFORM } from './aws-terraform.ts';
import { awsBlocks } from './blocks.ts';
import { type Folder, storedFiles } from './stored-file.ts';

/**
 * Writes clusters in AWS for Terraform. Where the state store is in S3, the files that machines read are part of the
 * configuration.
 */
export const awsTerraform: TerraformTarget = {
  writesFiles: ({ spec }) => s3Folder(spec.configBase) !== undefined,
  render(cluster, tasks, isWritten) {
    const { spec, metadata } = cluster;
    const bucket = s3Folder(spec.configBase);
    const wish = spec.target?.terraform;
    return terraformFolder({
      tasks,
      isWritten,
      kinds: { ...AWS_TERRAFORM, ...(bucket === undefined ? {} : storedFiles(bucket, elsewhere(cluster))) },
      blocks: awsBlocks(tasks, {
        clusterName: metadata.name,
        region: regionOf(metadata.name, spec),
        providerConfig: wish?.providerExtraConfig ?? {},
        filesProviderConfig: wish?.filesProviderExtraConfig ?? {},
      }),
    });
  },
};

/** The folders that the spec puts elsewhere. */
const elsewhere = (cluster: Cluster) =>
  wantedPlaces(cluster).flatMap(({ folder: below, url }) => {
    const place = s3Folder(url);
    return place === undefined ? [] : [{ ...place, below }];
  });

/** Splits `s3://bucket/folder`. */
function s3Folder(url = ''): Folder | undefined {
  const found = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(url);
  return found === null ? undefined : { bucket: found[1] ?? '', folder: found[2] ?? '' };
}
