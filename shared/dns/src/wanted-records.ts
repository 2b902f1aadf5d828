import { addressSets, unknownAddressSet } from './addresses.ts';
import { annotatedRecords, type AnnotatedObjects } from './annotated-records.ts';
import { kopsNames } from './kops-names.ts';
import type { RecordSet } from './zone.ts';

/** A machine that answers to names of the cluster. */
export interface NamedHost {
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
  /** Machines with an API server; none, if none is known. */
  readonly apiServers: readonly NamedHost[];
  readonly controlPlanes: readonly NamedHost[];
  /** All members that the cluster has. */
  readonly etcdMembers: readonly EtcdMemberName[];
  readonly objects: AnnotatedObjects;
}

/** The records that a cluster wants in DNS: kops's names for its own parts, and those that annotations ask for. Pure. */
export function wantedRecords(facts: ClusterFacts): readonly RecordSet[] {
  const { clusterName, publishes, apiServers, controlPlanes, etcdMembers, isIpv6Only } = facts;
  const { apiPublicName, apiInternalName, kopsController } = publishes;
  const internal = (hosts: readonly NamedHost[]) => hosts.flatMap((host) => host.internalAddresses);
  const external = apiServers.flatMap((host) => host.externalAddresses);
  const named = (name: string | undefined, addresses: readonly string[]) =>
    name === undefined ? [] : knownOrPlaceholder(name, addresses, isIpv6Only);
  // kube-apiserver's pods are annotated with the API's names: a pod that nobody takes away is not a server that runs.
  const isOwn = ({ name }: RecordSet) => name === apiPublicName || name === apiInternalName;
  return [
    ...named(apiPublicName, external),
    ...named(apiInternalName, internal(apiServers)),
    ...named(kopsController ? kopsNames(clusterName).kopsController : undefined, internal(controlPlanes)),
    ...etcdMembers.flatMap(({ name, addresses }) => knownOrPlaceholder(name, addresses, isIpv6Only)),
    ...annotatedRecords(facts.objects).filter((set) => !isOwn(set)),
  ];
}

function knownOrPlaceholder(name: string, addresses: readonly string[], isIpv6Only: boolean): readonly RecordSet[] {
  const known = addressSets(name, addresses);
  return known.length > 0 ? known : [unknownAddressSet(name, isIpv6Only ? 'AAAA' : 'A')];
}
