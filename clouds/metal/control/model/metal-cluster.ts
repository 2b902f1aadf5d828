import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { assetCatalog } from '@kopsctl/model/asset-catalog.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { nodeBoot } from '@kopsctl/model/group-boot.ts';
import { managedFile } from '@kopsctl/model/keysets.ts';
import type { ModelInput } from '@kopsctl/model/model-input.ts';
import { publishedAssets, publishedEtcds } from '@kopsctl/model/published-assets.ts';
import { storeContents } from '@kopsctl/model/store-contents.ts';
import { userDataFile } from '@kopsctl/node-plan/user-data-file.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { metalModelCloud } from './model-cloud.ts';

/**
 * All that a cluster of enrolled machines needs, in its state store: also what other clouds give each machine as user-data,
 * for `kopsctl toolbox enroll`. It holds no secret.
 */
export function metalCluster(input: ModelInput): readonly Task[] {
  const { cluster, instanceGroups: groups } = input;
  const facts = clusterFacts(cluster, storeOf(cluster), metalModelCloud, {
    secrets: input.secrets,
    keysets: input.keysets,
  });
  const catalog = assetCatalog({ assets: publishedEtcds(facts, 'amd64') }, 'amd64', []);
  const { identity, files } = storeContents(facts, groups, catalog, input.additionalObjects);
  return [
    ...identity,
    ...files,
    ...groups.flatMap((group) => {
      const { name } = group.metadata;
      const assets = publishedAssets(facts, group, input.agents, 'amd64');
      const { planFile, userData } = nodeBoot(facts, group, { assets, sha256Of: input.sha256Of }, []);
      return [planFile, managedFile(`user-data-${name}`, userDataFile(name), userData)];
    }),
  ];
}

/** Control planes find the cluster's files where spec.configBase says. */
function storeOf({ spec, metadata: { name } }: Cluster): string {
  const base = spec.configBase ?? '';
  if (base.endsWith(`/${name}`)) return base.slice(0, -name.length - 1);
  throw new ActionableError({
    what: `compute the machines of ${name}`,
    why: `spec.configBase (${base}) does not end in the cluster's name`,
    next: `set it to the state store, followed by /${name}`,
  });
}
