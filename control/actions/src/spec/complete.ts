import { specCloud } from '@kopsctl/clouds/control.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { completeCluster, type Completed, type CompletionFacts } from '@kopsctl/spec/complete.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ParsedObject } from '@kopsctl/spec/parse.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

export { InvalidSpecError } from './invalid-spec-error.ts';

/** Checks the user's objects, infers what they leave open, and checks the outcome. Faults of parsed objects say file and line. */
export function completeAndValidate(
  cluster: Cluster,
  instanceGroups: readonly InstanceGroup[],
  stateStoreUrl: string,
  positions: readonly ParsedObject[] = [],
  found: Pick<CompletionFacts, 'networkCidr'> = {},
): Completed {
  const name = cluster.metadata.name;
  const cloud = specCloud(cluster);
  const before = validateCluster(cluster, instanceGroups, cloud, positions);
  if (before.length > 0) throw new InvalidSpecError(`use the spec of ${name}`, before);
  const completed = completeCluster({ cluster, instanceGroups }, { stateStoreUrl, ...found }, cloud);
  const after = validateCluster(completed.cluster, completed.instanceGroups, cloud);
  if (after.length > 0) throw new InvalidSpecError(`complete the spec of ${name}`, after);
  return completed;
}

/**
 * Infers what a stored spec leaves open, to work with what was made from it. A release that checks more than the one that
 * applied it does not keep people from a cluster that runs: faults are told only if nothing can be inferred because of them.
 */
export function completeStored({ cluster, instanceGroups }: Uncompleted, stateStoreUrl: string): Completed {
  const cloud = specCloud(cluster);
  try {
    return completeCluster({ cluster, instanceGroups }, { stateStoreUrl }, cloud);
  } catch (error) {
    const faults = validateCluster(cluster, instanceGroups, cloud);
    if (faults.length === 0) throw error;
    throw new InvalidSpecError(`use the spec of ${cluster.metadata.name}`, faults);
  }
}

interface Uncompleted {
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
}
