import { addressSets, unknownAddressSet } from './addresses.ts';
import { annotatedRecords, type AnnotatedObjects } from './annotated-records.ts';
import { etcdName, kopsNames } from './kops-names.ts';
import type { RecordSet } from './zone.ts';

export interface ControlPlaneHost {
  readonly internalAddresses: readonly string[];
  /** Those that are reached from outside; of IPv6 often the same. */
  readonly externalAddresses: readonly string[];
  /** The etcd members that run there, e.g. `a` for etcd-a and `events-a` for etcd-events-a. */
  readonly etcdMembers: readonly string[];
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
  readonly objects: AnnotatedObjects;
}

/** The records that a cluster wants in DNS: kops's names for its own parts, and those that annotations ask for. Pure. */
export function wantedRecords(facts: ClusterFacts): readonly RecordSet[] {
  const { clusterName, publishes, controlPlanes, isIpv6Only } = facts;
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
    ...controlPlanes.flatMap(({ internalAddresses, etcdMembers }) =>
      etcdMembers.flatMap((member) => addressSets(etcdName(member, clusterName), internalAddresses)),
    ),
    ...annotatedRecords(facts.objects),
  ];
}

function knownOrPlaceholder(name: string, addresses: readonly string[], isIpv6Only: boolean): readonly RecordSet[] {
  const known = addressSets(name, addresses);
  return known.length > 0 ? known : [unknownAddressSet(name, isIpv6Only ? 'AAAA' : 'A')];
}
