import type { SecurityGroupRuleProps } from '../kinds/security.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { awsTask } from './aws-task.ts';
import type { SecurityGroup } from './security-groups.ts';

/** The peer: a range of addresses, a prefix list (`pl-…`), or a security group. */
export type Peer = string | SecurityGroup;

export interface Traffic {
  readonly protocol: 'tcp' | 'udp' | 'icmp' | 'icmpv6' | 'ipip';
  readonly ports?: readonly [from: number, to: number];
}

/** The protocol number of IP in IP, which has no name in the EC2 API (RFC 2003 §3.1). */
const IPIP = '4';

/** The path MTU message of IPv4, "fragmentation needed" (RFC 792). For IPv6, EC2 cannot select a smaller set. */
export const PATH_MTU: Traffic = { protocol: 'icmp', ports: [3, 4] };
export const PATH_MTU_V6: Traffic = { protocol: 'icmpv6', ports: [-1, -1] };

/**
 * Allows incoming traffic; without `traffic`, all of it. By default the rule is named after its peers, like those of
 * kops.
 */
export function allowIngress(from: Peer, to: SecurityGroup, traffic?: Traffic, name?: string): Task {
  const source = nameOf(from);
  return awsTask('aws/SecurityGroupRule', name ?? `from-${source}-ingress-${labelOf(traffic)}-${to.name}`, {
    securityGroup: to.id,
    direction: 'ingress',
    ...protocolOf(traffic),
    ...peerOf(from),
  });
}

/** Allows all outgoing traffic, in IPv4 and IPv6. */
export function allowAllEgress(from: SecurityGroup): readonly Task[] {
  return ['0.0.0.0/0', '::/0'].map((to) =>
    awsTask('aws/SecurityGroupRule', `from-${from.name}-egress-all-0to0-${to}`, {
      securityGroup: from.id,
      direction: 'egress',
      ...protocolOf(undefined),
      ...peerOf(to),
    }),
  );
}

/** A prefix list gets the name of the whole internet (kops pkg/model/awsmodel/firewall.go). */
function nameOf(peer: Peer): string {
  if (typeof peer !== 'string') return peer.name;
  return isPrefixList(peer) ? '0.0.0.0/0' : peer;
}

function labelOf(traffic: Traffic | undefined): string {
  const protocol = traffic === undefined ? 'all' : traffic.protocol === 'ipip' ? IPIP : traffic.protocol;
  const [from, to] = traffic?.ports ?? [0, 0];
  return `${protocol}-${from}to${to}`;
}

function protocolOf(traffic: Traffic | undefined): Pick<SecurityGroupRuleProps, 'protocol' | 'fromPort' | 'toPort'> {
  if (traffic === undefined) return { protocol: '-1', fromPort: 0, toPort: 0 };
  const [fromPort, toPort] = traffic.ports ?? [0, 65535];
  return { protocol: traffic.protocol === 'ipip' ? IPIP : traffic.protocol, fromPort, toPort };
}

function peerOf(peer: Peer): Pick<SecurityGroupRuleProps, 'cidr' | 'ipv6Cidr' | 'prefixList' | 'sourceGroup'> {
  if (typeof peer !== 'string') return { sourceGroup: peer.id };
  if (isPrefixList(peer)) return { prefixList: peer };
  return isIpv6(peer) ? { ipv6Cidr: peer } : { cidr: peer };
}

export const isPrefixList = (peer: string): boolean => peer.startsWith('pl-');
export const isIpv6 = (peer: string): boolean => peer.includes(':');
