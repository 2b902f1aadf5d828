import { addressSets, unknownAddressSet } from './addresses.ts';
import { annotatedRecords, type AnnotatedObjects } from './annotated-records.ts';
import { isKopsName, kopsNames } from './kops-names.ts';
import type { RecordSet } from './zone.ts';

/** A machine that has names in DNS. */
export interface NamedHost {
  readonly internalAddresses: readonly string[];
  /** Addresses that can be reached from outside; for IPv6 often the same ones. */
  readonly externalAddresses: readonly string[];
}

/** The name of an etcd member; without an address while its volume is not attached. */
export interface EtcdMemberName {
  readonly name: string;
  readonly addresses: readonly string[];
}

export interface ClusterFacts {
  readonly clusterName: string;
  /** Whether machines have only IPv6 addresses. */
  readonly isIpv6Only: boolean;
  readonly publishes: {
    /** The public name of the API; absent if it belongs to a load balancer. */
    readonly apiPublicName?: string;
    /** The internal name of the API; absent if it belongs to a load balancer. */
    readonly apiInternalName?: string;
    readonly kopsController: boolean;
  };
  /** Machines with an API server; empty if none is known. */
  readonly apiServers: readonly NamedHost[];
  readonly controlPlanes: readonly NamedHost[];
  /** All etcd members of the cluster. */
  readonly etcdMembers: readonly EtcdMemberName[];
  readonly objects: AnnotatedObjects;
}

/** The wanted DNS records of a cluster: kops's names for its components, and the names in annotations. Pure. */
export function wantedRecords(facts: ClusterFacts): readonly RecordSet[] {
  const { clusterName, publishes, apiServers, controlPlanes, etcdMembers, isIpv6Only } = facts;
  const { apiPublicName, apiInternalName, kopsController } = publishes;
  const internal = (hosts: readonly NamedHost[]) => hosts.flatMap((host) => host.internalAddresses);
  const external = apiServers.flatMap((host) => host.externalAddresses);
  const named = (name: string | undefined, addresses: readonly string[]) =>
    name === undefined ? [] : knownOrPlaceholder(name, addresses, isIpv6Only);
  // No object gives an address to a name of the cluster's own components, no matter who publishes it. (Pods of
  // kube-apiserver are annotated with the API's names; the object of a static pod can outlive its machine.)
  const published = [apiPublicName, apiInternalName, ...etcdMembers.map(({ name }) => name)];
  const isOwn = ({ name }: RecordSet) => published.includes(name) || isKopsName(name, clusterName);
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
