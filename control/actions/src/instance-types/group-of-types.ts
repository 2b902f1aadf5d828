import type { InstanceType } from '@kopsctl/model/instance-types/instance-type.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** What a group of selected types is like, beside its types. */
export interface GroupWishes {
  readonly minSize: number;
  readonly maxSize: number;
  readonly isSpot: boolean;
  readonly volumeSizeGib?: number | undefined;
  readonly securityGroups: readonly string[];
  /** The cluster autoscaler finds it by tags. */
  readonly isAutoscaled: boolean;
}

/** A group whose machines may be of any of these types, of which there is at least one. Pure. */
export function groupOfTypes(
  inferred: InstanceGroup,
  types: readonly InstanceType[],
  cluster: string,
  { minSize, maxSize, isSpot, volumeSizeGib, securityGroups, isAutoscaled }: GroupWishes,
): InstanceGroup {
  const names = types.map(({ name }) => name);
  const [machineType = ''] = names;
  const spot = { onDemandBase: 0, onDemandAboveBase: 0, spotAllocationStrategy: 'capacity-optimized' };
  return {
    ...inferred,
    spec: {
      ...inferred.spec,
      machineType,
      minSize,
      maxSize,
      ...(volumeSizeGib !== undefined && { rootVolumeSize: volumeSizeGib }),
      ...(securityGroups.length > 0 && { additionalSecurityGroups: securityGroups }),
      ...(isAutoscaled && {
        cloudLabels: {
          ...inferred.spec.cloudLabels,
          'k8s.io/cluster-autoscaler/enabled': '1',
          [`k8s.io/cluster-autoscaler/${cluster}`]: '1',
        },
      }),
      ...((names.length > 1 || isSpot) && { mixedInstancesPolicy: { instances: names, ...(isSpot && spot) } }),
    },
  };
}
