import { type InstanceTypeInfo, paginateDescribeInstanceTypes } from '@aws-sdk/client-ec2';
import type { InstanceType } from '@kopsctl/model/instance-types/instance-type.ts';
import type { AwsCloud } from './handlers/aws-cloud.ts';
import { explained } from './handlers/aws-error.ts';

const ARCHITECTURES = { x86_64: 'amd64', arm64: 'arm64' } as const;

/** The instance types that a region offers. */
export async function instanceTypes({ ec2, region }: AwsCloud, signal: AbortSignal): Promise<readonly InstanceType[]> {
  const found: InstanceType[] = [];
  try {
    for await (const { InstanceTypes = [] } of paginateDescribeInstanceTypes(
      { client: ec2 },
      {},
      { abortSignal: signal },
    )) {
      found.push(...InstanceTypes.map(instanceTypeOf));
    }
  } catch (thrown) {
    throw explained(thrown, `list the instance types of ${region}`);
  }
  return found;
}

/** As EC2 describes it. */
function instanceTypeOf(info: InstanceTypeInfo): InstanceType {
  const gpus = info.GpuInfo?.Gpus ?? [];
  return {
    name: info.InstanceType ?? '',
    vcpus: info.VCpuInfo?.DefaultVCpus ?? 0,
    memoryMib: info.MemoryInfo?.SizeInMiB ?? 0,
    architectures: (info.ProcessorInfo?.SupportedArchitectures ?? []).flatMap((name) =>
      name === 'x86_64' || name === 'arm64' ? ARCHITECTURES[name] : [],
    ),
    gpus: gpus.reduce((sum, { Count = 0 }) => sum + Count, 0),
    gpuMemoryMib: info.GpuInfo?.TotalGpuMemoryInMiB ?? 0,
    networkInterfaces: info.NetworkInfo?.MaximumNetworkInterfaces ?? 0,
    isBurstable: info.BurstablePerformanceSupported ?? false,
    isCurrent: info.CurrentGeneration ?? false,
    isBareMetal: info.BareMetal ?? false,
    usageClasses: info.SupportedUsageClasses ?? [],
    placementStrategies: info.PlacementGroupInfo?.SupportedStrategies ?? [],
    hasEna: info.NetworkInfo?.EnaSupport === 'supported' || info.NetworkInfo?.EnaSupport === 'required',
  };
}
