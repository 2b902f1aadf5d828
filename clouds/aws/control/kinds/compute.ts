import type { Ref } from '@kopsctl/tasks/task.ts';
import type { Text } from '@kopsctl/model/output.ts';
import type { Tags } from '../../node/tag-list.ts';

/** A volume that is created before any machine. Yields `id`. */
export interface VolumeProps {
  readonly zone: string;
  readonly sizeGiB: number;
  readonly type: string;
  readonly iops?: number;
  /** MiB/s. */
  readonly throughput?: number;
  readonly encrypted: boolean;
  readonly kmsKey?: string;
  readonly tags: Tags;
}

/** A disk of a machine. */
export type BlockDevice =
  | { readonly device: string; readonly ebs: EbsDevice }
  | { readonly device: string; readonly ephemeral: string };

export interface EbsDevice {
  readonly sizeGiB: number;
  readonly type: string;
  readonly iops?: number;
  /** MiB/s. */
  readonly throughput?: number;
  readonly encrypted: boolean;
  readonly kmsKey?: string;
  readonly deleteOnTermination: boolean;
}

/** The launch template of a group. Yields `id` and `version`. */
export interface LaunchTemplateProps {
  readonly name: string;
  /** `ami-…`, `ssm:PARAMETER`, the name of an image of Canonical or Debian, or `OWNER/NAME`. */
  readonly image: string;
  readonly machineType: string;
  readonly keyPair?: Text;
  readonly instanceProfile: Text;
  readonly securityGroups: readonly Text[];
  readonly publicIp?: boolean;
  readonly ipv6AddressCount: number;
  /** The name that the image gives its root device, for tools that cannot ask EC2. */
  readonly rootDeviceName?: string;
  readonly rootDevice: EbsDevice;
  readonly devices: readonly BlockDevice[];
  readonly detailedMonitoring: boolean;
  readonly ebsOptimized?: boolean;
  readonly cpuCredits?: string;
  readonly tenancy?: string;
  readonly metadata: {
    readonly ipv6: boolean;
    readonly hopLimit: number;
    readonly tokens: string;
  };
  readonly spot?: {
    /** USD per hour. */
    readonly maxPrice?: string;
    readonly blockDurationMinutes?: number;
    readonly interruptionBehavior?: string;
  };
  /** The text; API_LOAD_BALANCER in it is replaced by `apiLoadBalancer`, AUTHORITY_CA by `authorityCa`. */
  readonly userData?: string;
  /** The user-data is sent as gzip, which cloud-init unpacks. */
  readonly compressed?: true;
  readonly apiLoadBalancer?: Text;
  readonly authorityCa?: Text;
  /** What a machine reads at boot, which must therefore exist first. */
  readonly after: readonly Ref[];
  readonly tags: Tags;
}

/** Yields `name`. */
export interface AutoscalingGroupProps {
  readonly name: string;
  readonly launchTemplate: Text;
  readonly launchTemplateVersion: Text;
  readonly minSize: number;
  readonly maxSize: number;
  readonly subnets: readonly Text[];
  readonly classicLoadBalancers: readonly string[];
  readonly targetGroups: readonly Text[];
  readonly suspendedProcesses: readonly string[];
  readonly protectFromScaleIn: boolean;
  readonly capacityRebalance?: boolean;
  /** Seconds; 0 for no limit. */
  readonly maxInstanceLifetime?: number;
  readonly mixedInstances?: MixedInstances;
  readonly warmPool?: { readonly minSize: number; readonly maxSize?: number };
  readonly tags: Tags;
}

export interface MixedInstances {
  readonly machineTypes: readonly string[];
  readonly requirements?: {
    readonly cpuMin?: number;
    readonly cpuMax?: number;
    readonly memoryMinMiB?: number;
    readonly memoryMaxMiB?: number;
    readonly excludedTypes?: readonly string[];
  };
  readonly onDemandBase?: number;
  readonly onDemandPercentAboveBase?: number;
  readonly onDemandAllocation?: string;
  readonly spotAllocation?: string;
  readonly spotPools?: number;
  /** USD per hour; empty for the on-demand price. */
  readonly spotMaxPrice: string;
}

/** A notification before a machine is launched or terminated. */
export interface LifecycleHookProps {
  readonly name: string;
  readonly group: Text;
  readonly transition: 'autoscaling:EC2_INSTANCE_TERMINATING' | 'autoscaling:EC2_INSTANCE_LAUNCHING';
  readonly defaultResult: 'CONTINUE' | 'ABANDON';
  readonly heartbeatSeconds: number;
}
