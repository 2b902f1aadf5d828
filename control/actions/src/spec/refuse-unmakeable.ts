import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterObjects } from '../files/object-files.ts';
import { completeAndValidate } from './complete.ts';
import { refuseUnserved } from './refuse-unserved.ts';

/** The Cluster of some objects, if they have one, and their groups. */
export function wholeOf({ objects }: ClusterObjects): {
  readonly cluster: Cluster | undefined;
  readonly groups: readonly InstanceGroup[];
} {
  const [cluster] = objects.flatMap((object) => (object.kind === 'Cluster' ? [object.value] : []));
  return { cluster, groups: objects.flatMap((object) => (object.kind === 'InstanceGroup' ? [object.value] : [])) };
}

/**
 * Refuses a cluster that could not be made whatever its cloud says: what completion infers is checked too. Without its groups,
 * which may follow in another file, nothing can be said of it.
 *
 * @throws InvalidSpecError with every fault
 */
export function refuseUnmakeable(given: ClusterObjects, storeUrl: string): void {
  const { cluster, groups } = wholeOf(given);
  if (cluster === undefined || groups.length === 0) return;
  refuseUnserved(completeAndValidate(cluster, groups, storeUrl, given.objects), given.objects);
}
