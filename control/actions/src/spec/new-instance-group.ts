import { findCloud } from '@kopsctl/clouds/control.ts';
import type { InferredCluster, WantedGroup } from '@kopsctl/model/create-cluster/cloud-creation.ts';
import { refusal } from '@kopsctl/model/create-cluster/refusal.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { validateCluster } from '@kopsctl/spec/validate.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';

/** A further group of a cluster, as its cloud infers it, checked beside the others. */
export function newInstanceGroup(
  { cluster, instanceGroups }: InferredCluster,
  wanted: WantedGroup,
  zones: readonly string[] = [],
): InstanceGroup {
  const { cloudProvider } = cluster.spec;
  const cloud = findCloud(cloudProvider);
  if (cloud === undefined) {
    throw refusal(`nothing can be inferred for cloudProvider '${cloudProvider ?? ''}'`, 'write it in a file');
  }
  const inferred = cloud.creation.instanceGroup(cluster, wanted);
  const group = zones.length === 0 ? inferred : { ...inferred, spec: { ...inferred.spec, zones } };
  const faults = validateCluster(cluster, [...instanceGroups, group], cloud);
  if (faults.length > 0) throw new InvalidSpecError(`create instancegroup/${wanted.name}`, faults, ['InstanceGroup']);
  return group;
}
