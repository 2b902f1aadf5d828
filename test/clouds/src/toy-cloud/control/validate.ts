import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fault, type Fault } from '@kopsctl/spec/validate/fault.ts';

/** What a cluster in the toy cloud cannot have. */
export function* validateToy({ spec }: Cluster, groups: readonly InstanceGroup[]): Iterable<Fault> {
  if (spec.networkID !== undefined) {
    yield fault('spec.networkID', 'names a network, and in the toy cloud each cluster has its own', 'leave it out');
  }
  for (const { metadata, spec: group } of groups) {
    if (group.machineType === undefined || group.machineType.startsWith('toy-')) continue;
    const message = `'${group.machineType}' is not a machine type of the toy cloud`;
    yield { ...fault('spec.machineType', message, 'e.g. toy-small'), instanceGroup: metadata.name };
  }
}
