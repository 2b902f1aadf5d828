import type { InferredValues } from '@kopsctl/spec/explain.ts';
import { leavesOf } from '@kopsctl/spec/leaves.ts';
import type { InferredCluster } from './cloud-creation.ts';
import type { CreateClusterFlags } from './flags.ts';
import { covers, pathsGivenOfCluster, pathsGivenOfGroup } from './given-paths.ts';

/** What `create cluster` chose of a cluster's objects, beside what the person said by flags. */
export interface CreationRecord {
  readonly cluster: InferredValues;
  /** By name of the instance group. */
  readonly instanceGroups: Readonly<Record<string, InferredValues>>;
}

/** The values that no flag and no setting named. */
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
