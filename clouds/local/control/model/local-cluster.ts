import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { type RunnableAddons, runnableAddons } from '@kopsctl/model/addons/runnable-addons.ts';
import { assetCatalog } from '@kopsctl/model/assets/asset-catalog.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { nodeBoot } from '@kopsctl/model/group-boot.ts';
import { type AddonInput, makesMachines, type ModelInput } from '@kopsctl/model/model-input.ts';
import { schedulerConfiguration } from '@kopsctl/model/scheduler-configuration.ts';
import { stateKey } from '@kopsctl/model/store/state-key.ts';
import { storeContents } from '@kopsctl/model/store/store-contents.ts';
import { containerImagesFolder, localContainerImages } from './container-images.ts';
import { localMachines } from './machines.ts';
import { localModelCloud } from './model-cloud.ts';
import { LOCAL_ASSETS_URLS, LOCAL_NETWORK, LOCAL_STORE_URL, localNetwork } from './network.ts';
import { localVolumes } from './volumes.ts';

const factsOf = ({ cluster, assets, secrets, keysets, isOfKops, additionalObjects }: AddonInput) =>
  clusterFacts(cluster, LOCAL_STORE_URL, localModelCloud, {
    ...assets,
    secrets,
    keysets,
    schedulerConfiguration: schedulerConfiguration(additionalObjects),
    isOfKops,
  });

/** The addons of a cluster on this computer. */
export const localAddons = (input: AddonInput): RunnableAddons => runnableAddons(factsOf(input), input.instanceGroups);

/** The tasks of a cluster on this computer. */
export function localCluster(input: ModelInput): readonly Task[] {
  const { instanceGroups: groups } = input;
  const facts = factsOf(input);
  // A mirror in the spec is tried first (kops's spec.assets.fileRepository).
  const mirror = facts.spec.assets?.fileRepository;
  const assetUrls = mirror === undefined ? LOCAL_ASSETS_URLS : [mirror, ...LOCAL_ASSETS_URLS];
  const { identity, files } = storeContents(
    facts,
    groups,
    assetCatalog(input.assets, 'amd64', assetUrls),
    input.additionalObjects,
  );
  const assetList = input.assets.assets;
  const made = groups.filter((group) => makesMachines(input, group));
  const booting = made.map((group) => ({ group, ...nodeBoot(facts, group, input.assets, assetUrls) }));
  const plans = booting.map(({ nodeTasks }) => nodeTasks);
  return [
    localNetwork(facts, input),
    ...identity,
    ...stateKey(facts, [`local/Network/${LOCAL_NETWORK}`]),
    ...files,
    ...localVolumes(facts, groups),
    ...localContainerImages(plans, assetList, input.assetsDir),
    ...booting.flatMap(({ group, planFile, userData, nodeTasks }) => {
      const needs = [planFile, ...identity, ...files].map(taskId);
      const containerImages = containerImagesFolder(nodeTasks, assetList);
      return [planFile, ...localMachines(facts, group, { userData, containerImages }, needs)];
    }),
  ];
}
