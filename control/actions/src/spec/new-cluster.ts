import { CLOUDS, findCloud, specCloud } from '@kopsctl/clouds/control.ts';
import type { InferredCluster } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import { inferCluster, type CreatedCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import type { CreateClusterFacts, CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/** The cluster that the flags mean, checked: what comes back validates. */
export function newCluster(flags: CreateClusterFlags, facts: CreateClusterFacts): CreatedCluster {
  const inferred = inferCluster(flags, facts, CLOUDS);
  const faults = validateCluster(inferred.cluster, inferred.instanceGroups, specCloud(inferred.cluster));
  if (faults.length > 0) throw new InvalidSpecError(`create the cluster ${flags.name}`, faults);
  return inferred;
}

/** Flags, completed with what this computer is configured with for the cloud that they name. */
export const withFlagsOfHost = async (
  flags: CreateClusterFlags,
  env: Readonly<NodeJS.ProcessEnv>,
): Promise<CreateClusterFlags> => (await findCloud(flags.cloud)?.creation.flagsOfHost?.(flags, env)) ?? flags;

/** What nothing could be inferred for, in sentences. */
export const leftOpen = (inferred: InferredCluster): readonly string[] =>
  findCloud(inferred.cluster.spec.cloudProvider)?.creation.leftOpen(inferred) ?? [];
