import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** The first zone of an instance group: its own, or its subnet's, or the cluster's first. */
export function zoneOf(spec: ClusterSpec, group: InstanceGroup | undefined): string {
  const [zone] = group?.spec.zones ?? [];
  if (zone !== undefined) return zone;
  const subnets = spec.subnets ?? [];
  const own = subnets.find(({ name }) => group?.spec.subnets?.includes(name ?? ''));
  return own?.zone ?? subnets[0]?.zone ?? '';
}
