import { terraformFolder } from '@kopsctl/model/terraform/configuration.ts';
import type { ObjectPlace } from '@kopsctl/model/terraform/stored-files.ts';
import type { TopBlock } from '@kopsctl/model/terraform/kind.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import { block, expression } from '@kopsctl/model/terraform/value.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { urlOfFile } from '@kopsctl/spec/store-places.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { projectOf, regionOf } from '../region.ts';
import { gceTerraformKinds } from './gce-terraform.ts';
import { filesInGcs } from './stored-file.ts';

function placeOf(cluster: Cluster, path: string): ObjectPlace | undefined {
  const [, bucket, key] = /^gs:\/\/([^/]+)\/(.+)$/.exec(urlOfFile(cluster, path)) ?? [];
  return bucket === undefined || key === undefined ? undefined : { bucket, key };
}

/**
 * Writes clusters in GCE for Terraform. The files that machines read are part of the configuration where they are in Cloud
 * Storage.
 */
export const gceTerraform: TerraformTarget = {
  writesFile: (cluster, path) => placeOf(cluster, path) !== undefined,
  render(cluster, tasks, isWritten) {
    const project = projectOf(cluster.metadata.name, cluster.spec);
    return terraformFolder({
      tasks,
      isWritten,
      kinds: { ...gceTerraformKinds(project), ...filesInGcs((path) => placeOf(cluster, path)) },
      blocks: blocksOf(cluster, tasks),
    });
  },
};

/** Everything of a configuration except resources: the providers, and outputs under kops's names for other modules. */
function blocksOf(cluster: Cluster, tasks: readonly Task[]): readonly TopBlock[] {
  const { metadata, spec } = cluster;
  const [project, region] = [projectOf(metadata.name, spec), regionOf(metadata.name, spec)];
  const outputs = { cluster_name: metadata.name, project, region };
  const wish = spec.target?.terraform;
  const writesFiles = tasks.some(
    ({ kind, props: { path } }) =>
      kind === 'gce/PublicFile' || (kind === 'ManagedFile' && typeof path === 'string' && placeOf(cluster, path)),
  );
  return [
    { type: 'locals', labels: [], body: outputs },
    ...Object.entries(outputs).map(([name, value]) => ({ type: 'output', labels: [name], body: { value } })),
    { type: 'provider', labels: ['google'], body: { project, region, ...wish?.providerExtraConfig } },
    ...(writesFiles
      ? [
          {
            type: 'provider',
            labels: ['google'],
            body: { alias: 'files', project, region, ...wish?.filesProviderExtraConfig },
          },
        ]
      : []),
    {
      type: 'terraform',
      labels: [],
      body: {
        required_version: '>= 0.15.0',
        required_providers: block({
          google: {
            ...(writesFiles && { configuration_aliases: [expression('google.files')] }),
            source: 'hashicorp/google',
            version: '>= 5.11.0',
          },
        }),
      },
    },
  ];
}
