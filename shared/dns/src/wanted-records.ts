import { addressSets, unknownAddressSet } from './addresses.ts';
import { annotatedRecords, type AnnotatedObjects } from './annotated-records.ts';
import { kopsNames } from './kops-names.ts';
import type { RecordSet } from './zone.ts';

export interface ControlPlaneHost {
  readonly internalAddresses: readonly string[];
  /** Those that are reached from outside; of IPv6 often the same. */
  readonly externalAddresses: readonly string[];
}

/** An etcd member's name; without an address while no machine holds its volume. */
export interface EtcdMemberName {
  readonly name: string;
  readonly addresses: readonly string[];
}

export interface ClusterFacts {
  readonly clusterName: string;
  /** Machines have addresses of IPv6 only. */
  readonly isIpv6Only: boolean;
  readonly publishes: {
    /** The API's name for people; absent where it is a load balancer's. */
    readonly apiPublicName?: string;
    /** The API's name for machines; absent where it is a load balancer's. */
    readonly apiInternalName?: string;
    readonly kopsController: boolean;
  };
  /** All that are known now; none, if none is. */
  readonly controlPlanes: readonly ControlPlaneHost[];
  /** All members that the cluster has. */
  readonly etcdMembers: readonly EtcdMemberName[];
  readonly objects: AnnotatedObjects;
}

/** The records that a cluster wants in DNS: kops's names for its own parts, and those that annotations ask for. Pure. */
export function wantedRecords(facts: ClusterFacts): readonly RecordSet[] {
  const { clusterName, publishes, controlPlanes, etcdMembers, isIpv6Only } = facts;
  const { apiPublicName, apiInternalName, kopsController } = publishes;
  const internal = controlPlanes.flatMap((host) => host.internalAddresses);
  const external = controlPlanes.flatMap((host) => host.externalAddresses);
  const internalNames = [
    ...(apiInternalName === undefined ? [] : [apiInternalName]),
    ...(kopsController ? [kopsNames(clusterName).kopsController] : []),
  ];
  return [
    ...(apiPublicName === undefined ? [] : knownOrPlaceholder(apiPublicName, external, isIpv6Only)),
    ...internalNames.flatMap((name) => knownOrPlaceholder(name, internal, isIpv6Only)),
    ...etcdMembers.flatMap(({ name, addresses }) => knownOrPlaceholder(name, addresses, isIpv6Only)),
    ...annotatedRecords(facts.objects),
  ];
}

function knownOrPlaceholder(name: string, addresses: readonly string[], isIpv6Only: boolean): readonly RecordSet[] {
  const known = addressSets(name, addresses);
  return known.length > 0 ? known : [unknownAddressSet(name, isIpv6Only ? 'AAAA' : 'A')];
}
