import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** The zone of an instance group: the first of its own, or that of its subnet, or the cluster's first. */
export function zoneOf(spec: ClusterSpec, group: InstanceGroup | undefined): string {
  const [zone] = group?.spec.zones ?? [];
  if (zone !== undefined) return zone;
  const subnets = spec.subnets ?? [];
  const own = subnets.find(({ name }) => group?.spec.subnets?.includes(name ?? ''));
  return own?.zone ?? subnets[0]?.zone ?? '';
}
