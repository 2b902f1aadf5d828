import type { CloudName } from '@kopsctl/spec/cloud.ts';
import type { Channel } from '../upgrade/channel.ts';
import type { VpcInfo } from '../vpc-info.ts';

/**
 * The flags of `create cluster`, with the names of kops. A missing field was not given. As in kops, a count of 0, an
 * empty list and an empty word count as not given.
 */
export interface CreateClusterFlags {
  readonly name: string;
  readonly cloud?: string;
  readonly channel?: string;
  readonly kubernetesVersion?: string;
  /** `Gate` or `+Gate` to enable, `-Gate` to disable. */
  readonly kubernetesFeatureGates?: readonly string[];
  readonly authorization?: string;
  readonly discoveryStore?: string;
  readonly instanceManager?: string;

  readonly zones?: readonly string[];
  readonly controlPlaneZones?: readonly string[];
  readonly networkId?: string;
  readonly networkCidr?: readonly string[];
  readonly subnets?: readonly string[];
  readonly utilitySubnets?: readonly string[];
  readonly disableSubnetTags?: boolean;
  readonly egress?: string;
  readonly ipv6?: boolean;
  readonly networking?: string;
  readonly topology?: string;
  readonly bastion?: boolean;
  readonly bastionImage?: string;
  readonly dns?: string;
  readonly dnsZone?: string;

  readonly adminAccess?: readonly string[];
  readonly sshAccess?: readonly string[];
  readonly apiLoadbalancerType?: string;
  readonly apiPublicName?: string;

  readonly etcdClusters?: readonly string[];
  readonly etcdStorageType?: string;
  readonly encryptEtcdStorage?: boolean;

  readonly image?: string;
  readonly cloudLabels?: string;
  readonly associatePublicIp?: boolean;
  readonly controlPlane?: MachineFlags;
  readonly node?: MachineFlags;
  readonly apiServer?: MachineFlags;

  /** The flags that only one cloud has, by name. */
  readonly own?: Readonly<Record<string, OwnValue>>;

  /** `path=value`, applied after everything above was inferred. */
  readonly set?: readonly string[];
  readonly unset?: readonly string[];
}

/** What was given for a flag that only one cloud has, and the field of the Cluster that this sets. */
export interface OwnValue {
  readonly value: string | boolean;
  readonly path: string;
  /** The one cloud that takes it, if others refuse it. */
  readonly onlyFor?: CloudName;
}

/** The number and type of machines of a role. */
export interface MachineFlags {
  readonly count?: number;
  /** The first is the machine type. Several make a mixed group on AWS. */
  readonly sizes?: readonly string[];
  readonly image?: string;
  readonly volumeSizeGib?: number;
  readonly volumeType?: string;
  readonly securityGroups?: readonly string[];
  readonly tenancy?: string;
}

/** What is known besides the flags. */
export interface CreateClusterFacts {
  /** Where the cluster will be stored. May be unknown while nothing is stored. */
  readonly stateStoreUrl?: string;
  /** The shared network of --network-id or --subnets, if the cloud was asked. */
  readonly sharedNetwork?: SharedNetwork;
  /** What --channel names, where that is not the channel that is part of this program. */
  readonly channel?: Pick<Channel, 'kubernetes' | 'images'>;
}

/** The parts of an existing network that flags name. */
export interface NamedNetwork {
  readonly id?: string;
  /** Those of --subnets and --utility-subnets. */
  readonly subnets: readonly string[];
}

/** An existing network, as its cloud describes it. */
export interface SharedNetwork extends VpcInfo {
  readonly id: string;
}
