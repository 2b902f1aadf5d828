import type { InferredValues } from '@kopsctl/spec/explain.ts';
import { leavesOf } from '@kopsctl/spec/leaves.ts';
import type { InferredCluster } from './cloud-creation.ts';
import type { CreateClusterFlags } from './flags.ts';
import { covers, pathsGivenOfCluster, pathsGivenOfGroup } from './given-paths.ts';

/** The values in a cluster's objects that `create cluster` chose without a flag. */
export interface CreationRecord {
  readonly cluster: InferredValues;
  /** By name of the instance group. */
  readonly instanceGroups: Readonly<Record<string, InferredValues>>;
}

/** Returns the values that no flag and no setting named. */
export const creationRecord = (
  flags: CreateClusterFlags,
  { cluster, instanceGroups }: InferredCluster,
): CreationRecord => ({
  cluster: without(cluster.spec, pathsGivenOfCluster(flags)),
  instanceGroups: Object.fromEntries(
    instanceGroups.map((group) => [group.metadata.name, without(group.spec, pathsGivenOfGroup(flags, group))]),
  ),
});

const without = (spec: object, given: readonly string[]): InferredValues =>
  Object.fromEntries(
    leavesOf(spec, 'spec')
      .filter(({ path }) => !given.some((pattern) => covers(pattern, path)))
      .map(({ path, value }) => [path, value]),
  );
