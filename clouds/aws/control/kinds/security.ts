import type { Shared, Text } from '@kopsctl/model/output.ts';
import type { Tags } from '../../node/tag-list.ts';

/** Yields `id`. */
export type SecurityGroupProps =
  | { readonly vpc: Text; readonly name: string; readonly description: string; readonly tags: Tags }
  | Shared;

/** A rule of a security group, with exactly one peer. */
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

/** A public key for SSH. Yields `name`. */
export interface KeyPairProps {
  readonly name: string;
  readonly publicKey: string;
  readonly tags: Tags;
}
