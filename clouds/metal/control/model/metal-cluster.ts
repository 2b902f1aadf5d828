import { nodeBoot } from '@kopsctl/model/group-boot.ts';
import { managedFile } from '@kopsctl/model/store/keysets.ts';
import { makesMachines, type ModelInput } from '@kopsctl/model/model-input.ts';
import { publishedAssets } from '@kopsctl/model/assets/published-assets.ts';
import { publishedCluster } from '@kopsctl/model/store/published-cluster.ts';
import { userDataFile } from '@kopsctl/node-plan/user-data-file.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { metalModelCloud } from './model-cloud.ts';

/**
 * All that a cluster of enrolled machines needs, in its state store: also what other clouds give each machine as user-data,
 * for `kopsctl toolbox enroll`. It holds no secret.
 */
export function metalCluster(input: ModelInput): readonly Task[] {
  const { facts, mirrors, identity, files } = publishedCluster(input, metalModelCloud);
  const made = input.instanceGroups.filter((group) => makesMachines(input, group));
  return [
    ...identity,
    ...files,
    ...made.flatMap((group) => {
      const { name } = group.metadata;
      const assets = publishedAssets(facts, group, input, 'amd64');
      const { planFile, userData } = nodeBoot(facts, group, { assets, sha256Of: input.sha256Of }, mirrors);
      return [planFile, managedFile(`user-data-${name}`, userDataFile(name), userData)];
    }),
  ];
}
