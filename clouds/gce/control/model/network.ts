import { isIpv6Only } from '@kopsctl/model/discovery.ts';
import type { ClusterSubnetSpec } from '@kopsctl/spec/cluster.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { podRangeName, serviceRangeName, usesAliasRanges } from '../alias-ranges.ts';
import type { StackType } from '../kinds/network.ts';
import { networkName, suffixed } from '../names.ts';
import { besideNetwork, type GceContext, subnetLink, subnetName } from './gce-context.ts';
import { gceTask } from './gce-task.ts';

export const stackOf = ({ facts }: GceContext): StackType => (isIpv6Only(facts) ? 'IPV4_IPV6' : 'IPV4_ONLY');

/** The network, its subnets, and the way out of those whose machines have no address of their own. */
export function network(context: GceContext): readonly Task[] {
  const { facts, sharedNetwork, subnets } = context;
  const own = networkName(facts.clusterName);
  return [
    sharedNetwork === undefined
      ? gceTask('gce/Network', own, { name: own })
      : gceTask('gce/Network', sharedNetwork.name, {
          sharedName: sharedNetwork.name,
          project: sharedNetwork.project,
        }),
    ...subnets.map((subnet) => subnetwork(context, subnet)),
    ...nat(context),
  ];
}

function subnetwork(context: GceContext, subnet: ClusterSubnetSpec): Task {
  const { facts, region, project, sharedNetwork } = context;
  const name = subnetName(context, subnet);
  const secondaryRanges: Readonly<Record<string, string>> = usesAliasRanges(facts.spec)
    ? {
        [podRangeName(facts.clusterName)]: facts.spec.podCIDR ?? '',
        [serviceRangeName(facts.clusterName)]: facts.serviceRange,
      }
    : {};
  if (subnet.id !== undefined) {
    return gceTask('gce/Subnetwork', name, {
      sharedName: subnet.id,
      project: sharedNetwork?.project ?? project,
      region,
      secondaryRanges,
    });
  }
  return gceTask('gce/Subnetwork', name, {
    ...besideNetwork(context),
    name,
    network: context.network,
    region,
    cidr: subnet.cidr ?? '',
    secondaryRanges,
    stack: stackOf(context),
  });
}

/** Subnets of others have a way out of their own, or should have none. */
function nat(context: GceContext): readonly Task[] {
  const { facts, region, subnets } = context;
  const hidden = subnets.filter(
    ({ id, type, egress = '' }) => id === undefined && type === 'Private' && ['', 'nat'].includes(egress),
  );
  if (hidden.length === 0) return [];
  const name = suffixed('nat', facts.clusterName);
  const subnetworks = hidden.map((subnet) => subnetLink(context, subnet));
  return [
    gceTask('gce/Router', name, { ...besideNetwork(context), name, network: context.network, region, subnetworks }),
  ];
}
