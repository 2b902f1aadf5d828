import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { assetCatalog } from '@kopsctl/model/assets/asset-catalog.ts';
import { clusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { nodeBoot } from '@kopsctl/model/group-boot.ts';
import { makesMachines, type ModelInput } from '@kopsctl/model/model-input.ts';
import { publishedAssets, publishedEtcds } from '@kopsctl/model/assets/published-assets.ts';
import { storeContents } from '@kopsctl/model/store/store-contents.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { taskId, type Task } from '@kopsctl/tasks/task.ts';
import { toyMachines } from './machines.ts';
import { toyModelCloud } from './model-cloud.ts';
import { toyNetwork } from './network.ts';
import { toyVolumes } from './volumes.ts';

/** A cluster in the toy cloud. */
export function toyCluster(input: ModelInput): readonly Task[] {
  const { cluster, instanceGroups: groups } = input;
  const facts = clusterFacts(cluster, machinesStore(cluster), toyModelCloud, {
    secrets: input.secrets,
    keysets: input.keysets,
  });
  const catalog = assetCatalog({ assets: publishedEtcds(facts, 'amd64') }, 'amd64', []);
  const { identity, files } = storeContents(facts, groups, catalog, input.additionalObjects);
  const made = groups.filter((group) => makesMachines(input, group));
  return [
    ...identity,
    ...files,
    toyNetwork(facts),
    ...toyVolumes(facts, groups),
    ...made.flatMap((group) => {
      const assets = publishedAssets(facts, group, input, 'amd64');
      const { planFile, userData } = nodeBoot(facts, group, { assets, sha256Of: input.sha256Of }, []);
      return [planFile, ...toyMachines(facts, group, userData, [planFile, ...identity, ...files].map(taskId))];
    }),
  ];
}

/** Machines find the cluster's files where spec.configBase says. */
function machinesStore({ spec, metadata: { name } }: Cluster): string {
  const base = spec.configBase ?? '';
  if (base.endsWith(`/${name}`)) return base.slice(0, -name.length - 1);
  throw new ActionableError({
    what: `compute the machines of ${name}`,
    why: `spec.configBase (${base}) does not end in the cluster's name`,
    next: `set it to the state store, followed by /${name}`,
  });
}
