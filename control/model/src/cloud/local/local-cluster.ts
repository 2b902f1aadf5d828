import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { assetCatalog } from '../../asset-catalog.ts';
import { clusterFacts } from '../../cluster-facts.ts';
import { nodeBoot } from '../../group-boot.ts';
import type { ModelInput } from '../../model-input.ts';
import { storeContents } from '../../store-contents.ts';
import { localMachines } from './machines.ts';
import { LOCAL_ASSETS_URLS, LOCAL_STORE_URL, localNetwork } from './network.ts';
import { localVolumes } from './volumes.ts';

/** A cluster of machines on this machine. */
export function localCluster(input: ModelInput): readonly Task[] {
  const { instanceGroups: groups } = input;
  const facts = clusterFacts(input.cluster, LOCAL_STORE_URL);
  // A mirror the spec names comes first (kops's spec.assets.fileRepository).
  const mirror = facts.spec.assets?.fileRepository;
  const assetUrls = mirror === undefined ? LOCAL_ASSETS_URLS : [mirror, ...LOCAL_ASSETS_URLS];
  const { identity, files } = storeContents(
    facts,
    groups,
    assetCatalog(input.assets, 'amd64', assetUrls),
    input.additionalObjects,
  );
  return [
    localNetwork(facts, { storeUrl: input.storeUrl, assetsDir: input.assetsDir }),
    ...identity,
    ...files,
    ...localVolumes(facts, groups),
    ...groups.flatMap((group) => {
      const { planFile, userData } = nodeBoot(facts, group, input.assets.assets, assetUrls);
      return [planFile, ...localMachines(facts, group, userData, [planFile, ...identity, ...files].map(taskId))];
    }),
  ];
}
