import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** Whether Karpenter is installed, which makes the machines of the groups that it manages. */
export const hasKarpenter = ({ karpenter }: ClusterSpec): boolean => karpenter?.enabled === true;

/** Whether a group has a fixed number of machines, that of minSize (kops pkg/apis/kops/validation/instancegroup.go). */
export function hasStaticCapacity({ karpenter }: ClusterSpec): boolean {
  const { featureGates = '' } = karpenter ?? {};
  if (featureGates === '') return true;
  const values = featureGates.split(',').map((gate) => gate.split('=').map((part) => part.trim()));
  return values.findLast(([name]) => name === 'StaticCapacity')?.[1]?.toLowerCase() === 'true';
}

/** The settings of a group that Karpenter has no place for, although an auto-scaling group would follow them. */
export const WITHOUT_KARPENTER = [
  'compressUserData',
  'cpuCredits',
  'externalLoadBalancers',
  'instanceInterruptionBehavior',
  'instanceProtection',
  'maxPrice',
  'rootVolumeOptimization',
  'spotDurationInMinutes',
  'suspendProcesses',
  'tenancy',
  'warmPool',
] as const satisfies readonly (keyof InstanceGroup['spec'])[];
