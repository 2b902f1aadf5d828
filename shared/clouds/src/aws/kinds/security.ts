import type { Shared, Tags, Text } from './output.ts';

/** Yields `id`. */
export type SecurityGroupProps =
  { readonly vpc: Text; readonly name: string; readonly description: string; readonly tags: Tags } | Shared;

/** One rule of one security group; exactly one peer. */
export interface SecurityGroupRuleProps {
  readonly securityGroup: Text;
  readonly direction: 'ingress' | 'egress';
  /** tcp, udp, icmp, icmpv6, a protocol's number, or -1 for all. */
  readonly protocol: string;
  readonly fromPort: number;
  readonly toPort: number;
  readonly cidr?: string;
  readonly ipv6Cidr?: string;
  readonly prefixList?: string;
  readonly sourceGroup?: Text;
}

/** A public key that logs in. Yields `name`. */
export interface KeyPairProps {
  readonly name: string;
  readonly publicKey: string;
  readonly tags: Tags;
}
