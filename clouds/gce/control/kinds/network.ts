import type { Text } from '@kopsctl/model/output.ts';

/** A resource that exists before the cluster and outlives it, in this project or in that of the network's host. */
export interface SharedResource {
  readonly sharedName: string;
  /** The project that has it. */
  readonly project: string;
}

/** The project of the network, where it is not the cluster's: what belongs to a network is made in the network's project. */
interface InProject {
  readonly project?: string;
}

export type NetworkProps = { readonly name: string } | SharedResource;

export type SubnetworkProps =
  | (InProject & {
      readonly name: string;
      readonly network: Text;
      readonly region: string;
      readonly cidr: string;
      /** Ranges of which machines get parts for their pods, by name. */
      readonly secondaryRanges: Readonly<Record<string, string>>;
      readonly stack: StackType;
    })
  | (SharedResource & {
      readonly region: string;
      /** Added if the subnet lacks them. */
      readonly secondaryRanges: Readonly<Record<string, string>>;
    });

/** Whether machines also have IPv6 addresses, which are reachable from outside. */
export type StackType = 'IPV4_ONLY' | 'IPV4_IPV6';

/** A router with one NAT of the same name, through which machines without an address of their own reach the internet. */
export interface RouterProps extends InProject {
  readonly name: string;
  readonly network: Text;
  readonly region: string;
  readonly subnetworks: readonly Text[];
}

export interface Allowed {
  readonly protocol: string;
  /** `443`, `30000-32767`. Absent: all ports, or a protocol without any. */
  readonly ports?: readonly string[];
}

/** Ingress that is allowed. */
export interface FirewallProps extends InProject {
  readonly name: string;
  readonly network: Text;
  readonly allow: readonly Allowed[];
  readonly sourceRanges?: readonly string[];
  readonly sourceTags?: readonly string[];
  readonly targetTags: readonly string[];
  readonly disabled: boolean;
}

export interface AddressProps {
  readonly name: string;
  readonly region: string;
  /** For an address inside this subnet, which several load balancers share. */
  readonly subnetwork?: Text;
}
