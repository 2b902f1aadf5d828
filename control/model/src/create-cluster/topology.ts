import type { ClusterSpec, ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import { WITHOUT_IPV6 } from '@kopsctl/spec/validate/pod-network.ts';
import type { CloudRules } from './cloud-rules.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import { given } from './given.ts';
import { refusal, unknownWord } from './refusal.ts';
import { idsByZone } from './zonal-subnets.ts';

export type Topology = 'public' | 'private';
export type DnsType = 'Public' | 'Private' | 'None';

/** By default, IPv6 clusters are private and all others are public. */
export function topologyOf({ topology, ipv6, bastion, networking }: CreateClusterFlags): Topology {
  const chosen = topology === undefined || topology === '' ? (ipv6 === true ? 'private' : 'public') : topology;
  if (chosen !== 'public' && chosen !== 'private') throw unknownWord('--topology', chosen, ['public', 'private']);
  if (chosen === 'public' && bastion === true) {
    throw refusal('a bastion leads into private subnets, and these are public', 'add --topology private');
  }
  if (chosen === 'private' && networking === 'kubenet') {
    throw refusal('kubenet cannot route pods of private subnets', 'choose another --networking, e.g. cilium');
  }
  return chosen;
}

/** By default no DNS records, unless a zone is named (as in kops since 1.30). */
export function dnsTypeOf({ dns, dnsZone }: CreateClusterFlags): DnsType {
  switch ((dns ?? '').toLowerCase()) {
    case '':
      return dnsZone === undefined || dnsZone === '' ? 'None' : 'Public';
    case 'public':
      return 'Public';
    case 'private':
      return 'Private';
    case 'none':
      return 'None';
    default:
      throw unknownWord('--dns', dns ?? '', ['public', 'private', 'none']);
  }
}

/** Whether the cluster's names are published: not without DNS, and not with a gossip name. */
export const publishesDns = (clusterName: string, dns: DnsType): boolean =>
  dns !== 'None' && !clusterName.endsWith('.k8s.local');

/** Adjusts subnets to the topology: private subnets get dual-stack and utility subnets in addition. */
export function withTopology(
  subnets: readonly ClusterSubnetSpec[],
  topology: Topology,
  { flags, rules, zones, facts }: TopologyContext,
): readonly ClusterSubnetSpec[] {
  const typed = subnets.map((subnet) => ({ ...subnet, type: topology === 'public' ? 'Public' : 'Private' }));
  if (topology === 'public') return typed;
  const ids = idsByZone('--utility-subnets', flags.utilitySubnets ?? [], zones, facts.sharedNetwork);
  const beside = (prefix: string, type: string) =>
    typed.map(({ name, zone, region }) => ({
      name: `${prefix}-${name}`,
      type,
      ...given({ zone, region, id: zone === undefined ? undefined : ids.get(zone) }),
    }));
  return [
    ...typed,
    ...(flags.ipv6 === true ? beside('dualstack', 'DualStack') : []),
    ...(rules.utilitySubnets ? beside('utility', 'Utility') : []),
  ];
}

export interface TopologyContext {
  /** The cloud's name. */
  readonly cloud: string;
  readonly flags: CreateClusterFlags;
  readonly rules: CloudRules;
  /** Sorted. */
  readonly zones: readonly string[];
  readonly facts: CreateClusterFacts;
}

/** Adds the IPv6 settings to a Cluster. Its subnets are numbered parts of the network's IPv6 range. */
export function withIpv6(spec: ClusterSpec, { cloud, flags, rules }: TopologyContext): ClusterSpec {
  if (flags.ipv6 !== true) return spec;
  if (!rules.hasIpv6) throw refusal(`clusters on ${cloud} have no IPv6`, 'leave out --ipv6');
  const { networking = {} } = spec;
  if (WITHOUT_IPV6.some((network) => networking[network] !== undefined) || networking.cilium?.ipam === 'eni') {
    throw refusal(
      `--networking ${flags.networking} gives pods IPv4 addresses, and with --ipv6 a cluster has only IPv6`,
      'choose calico, cilium or kindnet, or cni and bring your own, or leave out --ipv6',
    );
  }
  return {
    ...spec,
    nonMasqueradeCIDR: '::/0',
    cloudControllerManager: {},
    subnets: (spec.subnets ?? []).map((subnet, index) => ({ ...subnet, ipv6CIDR: `/64#${index.toString(16)}` })),
  };
}
