import type { Cluster } from '../cluster.ts';
import type { InstanceGroup } from '../instance-group.ts';
import { isControlPlane } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/**
 * Control planes for which an etcd cluster has no member: an API server asks the members on its own machine, so the one there
 * would never serve (kops pkg/apis/kops/validation/instancegroup.go). This is checked when machines are to be made, because a
 * group and its members are stored one after the other.
 */
export function* etcdOnControlPlanes({ spec }: Cluster, instanceGroups: readonly InstanceGroup[]): Iterable<Fault> {
  for (const { name, etcdMembers } of spec.etcdClusters ?? []) {
    if (etcdMembers === undefined) continue;
    for (const { metadata, spec: group } of instanceGroups.filter(isControlPlane)) {
      const members = etcdMembers.filter(({ instanceGroup }) => instanceGroup === metadata.name).length;
      const machines = group.minSize ?? group.maxSize ?? 1;
      if (machines <= members) continue;
      yield {
        ...fault(
          'spec.role',
          `each of its ${machines} machines needs a member of etcd cluster '${name}', and ${members} are in this group`,
          `add members to spec.etcdClusters, with instanceGroup: ${metadata.name}`,
        ),
        instanceGroup: metadata.name,
      };
    }
  }
}
