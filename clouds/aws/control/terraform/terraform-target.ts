import { terraformFolder } from '@kopsctl/model/terraform/configuration.ts';
import type { ObjectPlace } from '@kopsctl/model/terraform/stored-files.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { urlOfFile } from '@kopsctl/spec/store-places.ts';
import { regionOf } from '../region.ts';
import { AWS_TERRAFORM } from './aws-terraform.ts';
import { awsBlocks } from './blocks.ts';
import { filesInS3 } from './stored-file.ts';

/** Writes clusters in AWS for Terraform. The files that machines read are part of the configuration where they are in S3. */
export const awsTerraform: TerraformTarget = {
  writesFile: (cluster, path) => placeOf(cluster, path) !== undefined,
  render(cluster, tasks, isWritten) {
    const { spec, metadata } = cluster;
    const wish = spec.target?.terraform;
    return terraformFolder({
      tasks,
      isWritten,
      kinds: { ...AWS_TERRAFORM, ...filesInS3((path) => placeOf(cluster, path)) },
      blocks: awsBlocks(tasks, {
        clusterName: metadata.name,
        region: regionOf(metadata.name, spec),
        providerConfig: wish?.providerExtraConfig ?? {},
        filesProviderConfig: wish?.filesProviderExtraConfig ?? {},
      }),
    });
  },
};

function placeOf(cluster: Cluster, path: string): ObjectPlace | undefined {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(urlOfFile(cluster, path)) ?? [];
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}
