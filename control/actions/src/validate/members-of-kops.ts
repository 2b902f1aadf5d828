import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { isHeard } from '../etcd/etcd-diagnosis.ts';
import { isServedByKops } from '../etcd/served-by-kops.ts';
import { silentMembers } from '../etcd/silent-members.ts';
import type { WantedEtcd, WantedMember } from '../etcd/wanted-etcds.ts';

export interface WatchedEtcd {
  readonly wanted: WantedEtcd;
  readonly statuses: readonly MemberStatus[];
}

export interface ShownMachines {
  readonly machines: readonly ExpectedNode[];
  readonly nodes: readonly NodeStatus[];
  readonly pods: readonly PodStatus[];
}

/** Members whose managers are not heard: their own, or those of kops, which never are. Pure. */
export const unheardMembers = ({ wanted, statuses }: WatchedEtcd, nowMs: number): readonly WantedMember[] =>
  wanted.members.filter(({ name }) => !statuses.some((status) => status.member === name && isHeard(status, nowMs)));

/** The names of those of them that machines of kops serve, by what the API shows. Pure. */
export function membersOfKops(etcd: WatchedEtcd, shown: ShownMachines, nowMs: number): readonly string[] {
  const heard = new Set(etcd.statuses.filter((status) => isHeard(status, nowMs)).map(({ address }) => address));
  const free = shown.machines.filter(
    (machine) => !addressesOf(machine, shown.nodes).some((address) => heard.has(address)),
  );
  return silentMembers(unheardMembers(etcd, nowMs), free)
    .filter(({ machine }) => machine !== undefined && isServedByKops(etcd.wanted.name, machine, shown))
    .map(({ name }) => name);
}

const addressesOf = ({ nodeName, addresses = [] }: ExpectedNode, nodes: readonly NodeStatus[]): readonly string[] => [
  ...addresses,
  ...(nodes.find(({ name }) => name === nodeName)?.internalAddresses ?? []),
];
