import type { ClusterSpec, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import type { Architecture, ChannelImages, MachineRole } from './channel.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import type { Modes } from './networking.ts';

/** A subnet with the zone whose machines it is for. */
export interface ZonedSubnet {
  readonly zone: string;
  readonly subnet: ClusterSubnetSpec;
}

/** How clouds with zones differ when a cluster is inferred. */
export interface CloudRules {
  /** Settings of the cloud itself: account, configuration. */
  readonly settings: (flags: CreateClusterFlags) => ClusterSpec;
  /** The subnets of the zones. Zones are sorted; several may share a subnet. */
  readonly subnets: (
    flags: CreateClusterFlags,
    zones: readonly string[],
    facts: CreateClusterFacts,
  ) => readonly ZonedSubnet[];
  /** Machines are placed by spec.zones, because subnets span zones. */
  readonly placesByZone: boolean;
  /** Bastions are placed by spec.zones too. */
  readonly placesBastionsByZone?: true;
  /** A private topology needs additional subnets for what is reachable from the internet. */
  readonly utilitySubnets: boolean;
  /** Either all subnets of a cluster exist already or none does. */
  readonly sharesAllSubnets?: true;
  /** Whether volumes of etcd are encrypted by default. */
  readonly encryptsEtcd: boolean;
  /** Whether control-plane groups are numbered even if each zone has only one. */
  readonly numbersControlPlanes: boolean;
  /** Whether a network has a range of its own, or only its subnets have ranges. */
  readonly networkHasRange: boolean;
  /** Assigns address ranges, given the spec so far. */
  readonly assignNetwork: (spec: ClusterSpec, facts: CreateClusterFacts) => ClusterSpec;
  /** An address in the cloud that machines reach without the proxy of the spec. */
  readonly reachedWithoutProxy?: string;
  /** The images of the channel. Undefined if it has none for this cloud. */
  readonly images?: Readonly<Partial<Record<Architecture, ChannelImages>>>;
  /** The machine type of a role. Undefined if each account has machine types of its own. */
  readonly machineTypes?: Readonly<Record<MachineRole, string>>;
  /** By default amd64. */
  readonly architectureOf?: (machineType: string) => Architecture;
  /** Whether several sizes make a group of several machine types. */
  readonly mixesSizes?: true;
  /** A group's settings of the metadata service, if they differ from the default. */
  readonly instanceMetadata?: (role: MachineRole, kubernetesVersion: string) => InstanceGroupSpec['instanceMetadata'];
  readonly nodeLabels?: (role: MachineRole, kubernetesVersion: string) => Readonly<Record<string, string>>;
  /** What the load balancer of the API has besides its type. */
  readonly loadBalancer?: {
    /** Whether flags of this cloud alone ask for one. */
    readonly isWished: (flags: CreateClusterFlags) => boolean;
    readonly settings: (flags: CreateClusterFlags) => NonNullable<ClusterSpec['api']>['loadBalancer'];
  };
  /** Whether machines and pods can have IPv6 addresses. */
  readonly hasIpv6?: true;
  /** Whether Karpenter can make machines. */
  readonly hasKarpenter?: true;
  /** Values of --networking that only this cloud supports. */
  readonly networkings?: Modes;
  /** What the spec contains besides the location if the issuer of service accounts is published. */
  readonly issuerGives?: ClusterSpec;
}
