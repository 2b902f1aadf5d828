import type { Text } from './output.ts';

/** A zone that exists: found by its id, or by its name. Yields `id`. */
export interface HostedZoneProps {
  /** `Z…`, or the zone's name with or without the dot at its end. */
  readonly zone: string;
  readonly private: boolean;
}

/** Makes a private zone known in a VPC. */
export interface HostedZoneAssociationProps {
  readonly zone: Text;
  readonly vpc: Text;
}

/** The names that a cluster's machines keep themselves: made before they are there, and then theirs. */
export interface ReservedNamesProps {
  readonly zone: Text;
  readonly clusterName: string;
  readonly apiPublicName?: string;
  readonly apiInternalName?: string;
  /** Machines will have addresses of IPv6. */
  readonly ipv6: boolean;
}

/** A name for a load balancer. */
export interface DnsRecordProps {
  readonly zone: Text;
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  readonly alias: { readonly name: Text; readonly zoneId: Text };
}
