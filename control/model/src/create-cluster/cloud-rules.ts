import type { ClusterSpec, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroupSpec } from '@kopsctl/spec/instance-group.ts';
import type { Architecture, ChannelImages, MachineRole } from './channel.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import type { Modes } from './networking.ts';

/** A subnet together with the zone whose machines are put into it. */
export interface ZonedSubnet {
  readonly zone: string;
  readonly subnet: ClusterSubnetSpec;
}

/** In which ways clouds with zones differ when a cluster is inferred. */
export interface CloudRules {
  /** What the Cluster says of the cloud itself: its account, its configuration. */
  readonly settings: (flags: CreateClusterFlags) => ClusterSpec;
  /** The subnets that the zones get. Zones are sorted; several may share a subnet. */
  readonly subnets: (
    flags: CreateClusterFlags,
    zones: readonly string[],
    facts: CreateClusterFacts,
  ) => readonly ZonedSubnet[];
  /** Machines are placed by spec.zones, because subnets span zones. */
  readonly placesByZone: boolean;
  /** So are bastions. */
  readonly placesBastionsByZone?: true;
  /** A private topology needs subnets for what faces the internet. */
  readonly utilitySubnets: boolean;
  /** Etcd volumes are encrypted unless told otherwise. */
  readonly encryptsEtcd: boolean;
  /** A control plane's group is numbered even when each zone has but one. */
  readonly numbersControlPlanes: boolean;
  /** Whether a network has a range of its own, or only its subnets have. */
  readonly networkHasRange: boolean;
  /** --subnets tell their network without --network-id. */
  readonly subnetsTellNetwork?: true;
  /** Ranges of addresses, given the spec as inferred and set so far. */
  readonly assignNetwork: (spec: ClusterSpec, facts: CreateClusterFacts) => ClusterSpec;
  /** The channel's images; undefined where it names none. */
  readonly images?: Readonly<Partial<Record<Architecture, ChannelImages>>>;
  /** Which machine a role gets; undefined where each account names types of its own. */
  readonly machineTypes?: Readonly<Record<MachineRole, string>>;
  /** amd64 where this is undefined. */
  readonly architectureOf?: (machineType: string) => Architecture;
  /** Several sizes make a mixed group. */
  readonly mixesSizes?: true;
  /** What a group says of the metadata service, where the default would not be kops's. */
  readonly instanceMetadata?: (role: MachineRole, kubernetesVersion: string) => InstanceGroupSpec['instanceMetadata'];
  readonly nodeLabels?: (role: MachineRole, kubernetesVersion: string) => Readonly<Record<string, string>>;
  /** Load balancers come in classes, of which one is named. */
  readonly classesOfLoadBalancers?: true;
  /** Machines and pods can have IPv6 addresses. */
  readonly hasIpv6?: true;
  /** Choices of --networking that only this cloud has. */
  readonly networkings?: Modes;
  /** What a published issuer of service accounts gives beside its place. */
  readonly issuerGives?: ClusterSpec;
}
