import type { ClusterSpec, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { CloudName, CreateClusterFacts, CreateClusterFlags } from './flags.ts';

/** A subnet together with the zone whose machines are put into it. */
export interface ZonedSubnet {
  readonly zone: string;
  readonly subnet: ClusterSubnetSpec;
}

/** In which ways clouds differ when a cluster is inferred. One file per cloud says how. */
export interface CloudRules {
  readonly name: CloudName;
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
  /** A private topology needs subnets for what faces the internet. */
  readonly utilitySubnets: boolean;
  /** Etcd volumes are encrypted unless told otherwise. */
  readonly encryptsEtcd: boolean;
  /** A control plane's group is numbered even when each zone has but one. */
  readonly numbersControlPlanes: boolean;
  /** Whether a network has a range of its own, or only its subnets have. */
  readonly networkHasRange: boolean;
  /** Ranges of addresses, given the spec as inferred and set so far. */
  readonly assignNetwork: (spec: ClusterSpec, facts: CreateClusterFacts) => ClusterSpec;
}
