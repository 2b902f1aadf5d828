import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';

/** Whether Karpenter is installed, which makes the machines of the groups that it manages. */
export const hasKarpenter = ({ karpenter }: ClusterSpec): boolean => karpenter?.enabled === true;

/** The settings of a group that Karpenter has no place for, although an auto-scaling group would follow them. */
export const WITHOUT_KARPENTER = [
  'compressUserData',
  'cpuCredits',
  'externalLoadBalancers',
  'instanceInterruptionBehavior',
  'instanceProtection',
  'rootVolumeOptimization',
  'suspendProcesses',
  'tenancy',
  'warmPool',
] as const satisfies readonly (keyof InstanceGroup['spec'])[];

/** What Karpenter learns of these is that the group wants spot machines. */
export const ONLY_SPOT = ['maxPrice', 'spotDurationInMinutes'] as const;
