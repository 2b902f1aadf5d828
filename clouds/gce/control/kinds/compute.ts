import type { Text } from '@kopsctl/model/output.ts';
import type { Ref } from '@kopsctl/tasks/task.ts';
import type { Labels } from '../../node/labels.ts';
import type { StackType } from './network.ts';

export interface DiskSpeed {
  readonly iops?: number;
  /** MiB/s */
  readonly throughput?: number;
}

export interface DiskProps extends DiskSpeed {
  readonly name: string;
  readonly zone: string;
  readonly sizeGb: number;
  readonly type: string;
  readonly labels: Labels;
}

/** Templates cannot be changed, so `namePrefix` gets a suffix for each content. */
export interface InstanceTemplateProps {
  readonly namePrefix: string;
  readonly machineType: string;
  /** The URL of the image. */
  readonly image: string;
  readonly rootDisk: DiskSpeed & { readonly sizeGb: number; readonly type: string };
  readonly canIpForward: boolean;
  readonly network: Text;
  readonly subnetwork: Text;
  readonly stack: StackType;
  readonly publicIp: boolean;
  /** The part of a secondary range of the subnet that each machine gets for its pods. */
  readonly podRange?: { readonly name: string; readonly prefixLength: number };
  readonly spot: boolean;
  /** Machines with accelerators, and some others, cannot be moved while they run. */
  readonly movable: boolean;
  readonly accelerators: readonly { readonly type: string; readonly count: number }[];
  /** The email of the account that machines act as. */
  readonly account: Text;
  readonly scopes: readonly string[];
  readonly tags: readonly string[];
  readonly labels: Labels;
  readonly metadata: Readonly<Record<string, string>>;
  /** Absent for machines that do not become nodes. */
  readonly boot?: { readonly key: 'user-data' | 'startup-script'; readonly text: string };
  /** The address that replaces its placeholder in the boot script. */
  readonly apiLoadBalancer?: Text;
  /** The CA of the cluster's authorities, which replaces its placeholder in the boot script. */
  readonly authorityCa?: Text;
  /** What a machine reads when it boots. */
  readonly after: readonly Ref[];
}

export interface InstanceGroupManagerProps {
  readonly name: string;
  readonly zone: string;
  readonly template: Text;
  readonly baseInstanceName: string;
  readonly targetSize: number;
  /** A size from `targetSize` up to this one is left as it is: somebody chose it. */
  readonly largestSize: number;
  /** Whether an autoscaler in the cluster sets the size, so that `targetSize` is only the minimum. */
  readonly isScaledByOthers: boolean;
  readonly targetPools: readonly Text[];
}
