import { inferCluster, type InferredCluster } from '@kopsctl/model/create-cluster/create-cluster.ts';
import type { CreateClusterFacts, CreateClusterFlags } from '@kopsctl/model/create-cluster/flags.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/** The cluster that the flags mean, checked: what comes back validates. */
export function newCluster(flags: CreateClusterFlags, facts: CreateClusterFacts): InferredCluster {
  const inferred = inferCluster(flags, facts);
  const faults = validateCluster(inferred.cluster, inferred.instanceGroups);
  if (faults.length > 0) throw new InvalidSpecError(`create the cluster ${flags.name}`, faults);
  return inferred;
}
