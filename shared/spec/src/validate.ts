import type { Cluster } from './cluster.ts';
import type { FieldError, Position } from './field-error.ts';
import type { InstanceGroup } from './instance-group.ts';
import { validateClusterSpec } from './validate/cluster-spec.ts';
import { validateEtcd } from './validate/etcd.ts';
import { validateInstanceGroups } from './validate/instance-groups.ts';
import { validateNetwork } from './validate/network.ts';
import type { Fault } from './validate/fault.ts';
import { validateSupport } from './validate/support.ts';

/** Where the paths of an object stand; what `ParsedObject` offers. */
export interface Positions {
  /** Of the object of this kind and name, or undefined where it came from no file. */
  find(kind: 'Cluster' | 'InstanceGroup', name: string): { positionOf(path: string): Position } | undefined;
}

/**
 * Checks what the schema alone cannot: that values make sense, fit each other, and are things this suite can do.
 * Fields that are absent are not faults, so a spec can be checked before and after completion. All faults at once.
 */
export function validateCluster(
  cluster: Cluster,
  instanceGroups: readonly InstanceGroup[],
  positions?: Positions,
): readonly FieldError[] {
  const faults: readonly Fault[] = [
    ...validateClusterSpec(cluster),
    ...validateNetwork(cluster),
    ...validateEtcd(cluster, instanceGroups),
    ...validateInstanceGroups(cluster, instanceGroups),
    ...validateSupport(cluster, instanceGroups),
  ];
  return faults.map(({ instanceGroup, path, message, hint }) => {
    const object =
      instanceGroup === undefined
        ? positions?.find('Cluster', cluster.metadata.name)
        : positions?.find('InstanceGroup', instanceGroup);
    const place = object?.positionOf(path);
    return {
      ...place,
      // Without a place, the path has to say whose it is.
      path: place === undefined && instanceGroup !== undefined ? `instance group ${instanceGroup}: ${path}` : path,
      message,
      ...(hint === undefined ? {} : { hint }),
    };
  });
}
