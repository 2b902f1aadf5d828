import { usesGossip } from '@kopsctl/model/discovery.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** What a cluster of enrolled machines cannot have. */
export function* validateMetal(
  { metadata: { name }, spec }: Cluster,
  groups: readonly InstanceGroup[],
): Iterable<Fault> {
  // Without a zone of a cloud, and without a list that workers may read, only gossip leads a worker to the API.
  if (!usesGossip({ spec, clusterName: name })) {
    yield fault('spec.topology.dns.type', 'machines of this cloud find each other by gossip alone', 'set it to Gossip');
  }
  if (spec.api?.loadBalancer !== undefined) {
    yield fault('spec.api.loadBalancer', 'enrolled machines have no load balancer', 'write spec.api.dns: {}');
  }
  for (const { metadata, spec: group } of groups) {
    if (!isOtherRole(group.role)) continue;
    const message = `enrolled machines are control planes or nodes, not '${group.role}'`;
    yield { ...fault('spec.role', message, 'choose ControlPlane or Node'), instanceGroup: metadata.name };
  }
}

/** Roles of machines that would need rights in the state store, or need nothing from the cluster. */
export const isOtherRole = (role: InstanceGroup['spec']['role']): boolean => role === 'APIServer' || role === 'Bastion';
