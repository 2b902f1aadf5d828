import { type MixedInstancesPolicy } from '@aws-sdk/client-auto-scaling';
import type { MixedInstances } from '../kinds/compute.ts';

/** Always the newest version: a version is complete when it exists. */
export const VERSION = '$Latest';

/** The mixed-instances policy of a group, in the form of the AWS API. */
export function mixedInstances(wish: MixedInstances, LaunchTemplateId: string): MixedInstancesPolicy {
  const { requirements } = wish;
  return {
    InstancesDistribution: {
      ...(wish.onDemandAllocation === undefined ? {} : { OnDemandAllocationStrategy: wish.onDemandAllocation }),
      ...(wish.onDemandBase === undefined ? {} : { OnDemandBaseCapacity: wish.onDemandBase }),
      ...(wish.onDemandPercentAboveBase === undefined
        ? {}
        : { OnDemandPercentageAboveBaseCapacity: wish.onDemandPercentAboveBase }),
      ...(wish.spotAllocation === undefined ? {} : { SpotAllocationStrategy: wish.spotAllocation }),
      ...(wish.spotPools === undefined ? {} : { SpotInstancePools: wish.spotPools }),
      // The only way to take a price away: AWS keeps the one it has where a request names none.
      SpotMaxPrice: wish.spotMaxPrice,
    },
    LaunchTemplate: {
      LaunchTemplateSpecification: { LaunchTemplateId, Version: VERSION },
      Overrides: [
        ...wish.machineTypes.map((InstanceType) => ({ InstanceType })),
        ...(requirements === undefined
          ? []
          : [
              {
                InstanceRequirements: {
                  VCpuCount: {
                    Min: requirements.cpuMin ?? 0,
                    ...(requirements.cpuMax === undefined ? {} : { Max: requirements.cpuMax }),
                  },
                  MemoryMiB: {
                    Min: requirements.memoryMinMiB ?? 0,
                    ...(requirements.memoryMaxMiB === undefined ? {} : { Max: requirements.memoryMaxMiB }),
                  },
                  BurstablePerformance: 'included' as const,
                  InstanceGenerations: ['current' as const],
                  ...(requirements.excludedTypes === undefined
                    ? {}
                    : { ExcludedInstanceTypes: [...requirements.excludedTypes] }),
                },
              },
            ]),
      ],
    },
  };
}
