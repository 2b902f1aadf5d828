import { assetCatalog } from '@kopsctl/model/asset-catalog.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { nodeBoot } from '@kopsctl/model/group-boot.ts';
import { managedFile } from '@kopsctl/model/keysets.ts';
import { machinesStore } from '@kopsctl/model/machines-store.ts';
import type { ModelInput } from '@kopsctl/model/model-input.ts';
import { publishedAssets, publishedEtcds } from '@kopsctl/model/published-assets.ts';
import { storeContents } from '@kopsctl/model/store-contents.ts';
import { userDataFile } from '@kopsctl/node-plan/user-data-file.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { metalModelCloud } from './model-cloud.ts';

/**
 * All that a cluster of enrolled machines needs, in its state store: also what other clouds give each machine as user-data,
 * for `kopsctl toolbox enroll`. It holds no secret.
 */
export function metalCluster(input: ModelInput): readonly Task[] {
  const { cluster, instanceGroups: groups } = input;
  const facts = clusterFacts(cluster, machinesStore(cluster), metalModelCloud, {
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
