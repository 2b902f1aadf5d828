import { terraformFolder } from '@kopsctl/model/terraform/configuration.ts';
import type { TopBlock } from '@kopsctl/model/terraform/kind.ts';
import type { TerraformTarget } from '@kopsctl/model/terraform/target.ts';
import { block, expression } from '@kopsctl/model/terraform/value.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { wantedPlaces } from '@kopsctl/spec/store-places.ts';
import { bucketPlace } from '../bucket-place.ts';
import { projectOf, regionOf } from '../region.ts';
import { gceTerraformKinds } from './gce-terraform.ts';
import { storedFiles } from './stored-file.ts';

const storeOf = ({ spec }: Cluster) => bucketPlace(spec.configBase ?? '');

/** The folders that the spec puts elsewhere. */
const elsewhere = (cluster: Cluster) =>
  wantedPlaces(cluster).flatMap(({ folder: below, url }) => {
    const place = bucketPlace(url);
    return place === undefined ? [] : [{ ...place, below }];
  });

/**
 * Writes clusters in GCE for Terraform. Where the state store is in Cloud Storage, the files that machines read are part of
 * the configuration.
 */
export const gceTerraform: TerraformTarget = {
  writesFiles: (cluster) => storeOf(cluster) !== undefined,
  render(cluster, tasks, isWritten) {
    const store = storeOf(cluster);
    const project = projectOf(cluster.metadata.name, cluster.spec);
    return terraformFolder({
      tasks,
      isWritten,
      kinds: { ...gceTerraformKinds(project), ...(store === undefined ? {} : storedFiles(store, elsewhere(cluster))) },
      blocks: blocksOf(cluster),
    });
  },
};

/** Everything of a configuration except resources: the providers, and outputs under kops's names for other modules. */
function blocksOf(cluster: Cluster): readonly TopBlock[] {
  const { metadata, spec } = cluster;
  const [project, region] = [projectOf(metadata.name, spec), regionOf(metadata.name, spec)];
  const outputs = { cluster_name: metadata.name, project, region };
  const wish = spec.target?.terraform;
  const writesFiles = storeOf(cluster) !== undefined;
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
