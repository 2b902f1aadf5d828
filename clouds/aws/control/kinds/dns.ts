import type { Text } from '@kopsctl/model/output.ts';

/** An existing hosted zone, given by id or name. Yields `id`. */
export interface HostedZoneProps {
  /** `Z…`, or the zone's name with or without the dot at its end. */
  readonly zone: string;
  readonly private: boolean;
}

/** Associates a private zone with a VPC. */
export interface HostedZoneAssociationProps {
  readonly zone: Text;
  readonly vpc: Text;
}

/** The names that the machines of a cluster manage: created in advance, then left to the machines. */
export interface ReservedNamesProps {
  readonly zone: Text;
  readonly clusterName: string;
  readonly apiPublicName?: string;
  readonly apiInternalName?: string;
  /** Whether machines have IPv6 addresses. */
  readonly ipv6: boolean;
}

/** A name for a load balancer. */
export interface DnsRecordProps {
  readonly zone: Text;
  readonly name: string;
  readonly type: 'A' | 'AAAA';
  readonly alias: { readonly name: Text; readonly zoneId: Text };
}
