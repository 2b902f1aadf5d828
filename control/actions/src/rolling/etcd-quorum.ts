import type { FleetMachine } from '@kopsctl/model/fleet.ts';
import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';
import { silentMembers } from '../etcd/silent-members.ts';
import type { WantedEtcd, WantedMember } from '../etcd/wanted-etcds.ts';

/** One etcd cluster, as its managers tell. */
export interface EtcdHealth {
  readonly name: string;
  /** How many members it has. */
  readonly size: number;
  readonly members: readonly EtcdMember[];
}

export interface EtcdMember {
  readonly name: string;
  /** Empty where it is not known which machine has it. */
  readonly address: string;
  readonly isHealthy: boolean;
}

/** Managers write their status at least twice a minute. */
const FRESH_MS = 90_000;

export interface ObservedEtcd {
  readonly wanted: WantedEtcd;
  readonly statuses: readonly MemberStatus[];
  readonly machines: readonly FleetMachine[];
  /**
   * Whether a machine of kops serves its member, whose manager never writes a status. Absent in a cluster that kops did not
   * make: there, members without a status have never served.
   */
  readonly isServedByKops?: (machine: FleetMachine) => boolean;
  readonly nowMs: number;
}

/**
 * How the members of an etcd cluster are. A status counts only while it is fresh, not if it was written by an earlier
 * machine with the same address, and not if neither etcd nor the spec has the member any more. Pure.
 */
export function etcdHealth({ wanted, statuses, machines, isServedByKops, nowMs }: ObservedEtcd): EtcdHealth {
  const written = statuses.map((status) => {
    const machine = machines.find(({ address }) => address === status.address);
    const writtenMs = Date.parse(status.updatedAt);
    return { status, writtenMs, isOfMachine: machine?.running === true && writtenMs >= (machine.launchedMs ?? 0) };
  });
  // By a clock of this machine that is behind, every status would be fresh: it is at least as late as two managers have written.
  // One alone may have a clock that is ahead.
  const times = written.flatMap(({ writtenMs, isOfMachine }) => (isOfMachine ? [writtenMs] : []));
  const latestMs = Math.max(nowMs, times.toSorted((a, b) => b - a)[1] ?? nowMs);
  const told = written.map(({ status, writtenMs, isOfMachine }) => {
    const { member, address, etcd, problem, members = [] } = status;
    const serves = etcd?.leaderId !== undefined && !etcd.isLearner && problem === undefined;
    const isHealthy = serves && isOfMachine && latestMs - writtenMs <= FRESH_MS;
    return { name: member, address, isHealthy, isOfMachine, members };
  });
  // What etcd itself says, as told by a member that serves, does not count members that were removed.
  const lists = told.flatMap(({ isHealthy, members }) => (isHealthy && members.length > 0 ? [members] : []));
  const listed = lists.toSorted((a, b) => b.length - a.length)[0];
  // Within etcd, members are called etcd-<member>, those of kops too.
  const isListed = (member: string): boolean => listed?.some(({ name }) => name === `etcd-${member}`) === true;
  const isWanted = (member: string): boolean => wanted.members.some(({ name }) => name === member);
  // In a cluster of kops, a status of a machine that is gone may be from before the cluster was given back.
  const speaking = told.filter(
    ({ name, isOfMachine }) =>
      (isWanted(name) || isListed(name)) && (isOfMachine || isServedByKops === undefined || !isWanted(name)),
  );
  const silent = wanted.members.filter(
    ({ name }) => !speaking.some((one) => one.name === name) && (listed === undefined || isListed(name)),
  );
  const free = machines.filter(({ address }) => !speaking.some((one) => one.isOfMachine && one.address === address));
  const members = [
    ...speaking.map(({ name, address, isHealthy }) => ({ name, address, isHealthy })),
    ...(isServedByKops === undefined ? [] : membersOfKops(silent, free, isServedByKops)),
  ];
  return { name: wanted.name, size: Math.max(1, listed?.length ?? members.length), members };
}

const isOnlyOne = (member: string, members: readonly WantedMember[]): boolean => {
  const { instanceGroup } = members.find(({ name }) => name === member) ?? {};
  return members.filter((one) => one.instanceGroup === instanceGroup).length === 1;
};

const membersOfKops = (
  silent: readonly WantedMember[],
  free: readonly FleetMachine[],
  isServedByKops: (machine: FleetMachine) => boolean,
): readonly EtcdMember[] =>
  silentMembers(silent, free).map(({ name, machine }) => ({
    // Where a group has several machines, it is not known which member each of them has.
    name: machine === undefined || isOnlyOne(name, silent) ? name : machine.name,
    address: machine?.address ?? '',
    isHealthy: machine !== undefined && isServedByKops(machine),
  }));

/** Why a machine must not go now: an etcd cluster could no longer be written to. Undefined if it may. Pure. */
export function quorumFault(etcds: readonly EtcdHealth[], address: string): string | undefined {
  for (const { name, size, members } of etcds) {
    // Where nobody has said anything, there is nothing to decide by.
    if (members.length === 0) continue;
    const others = members.filter((one) => one.address !== address);
    const healthy = others.filter(({ isHealthy }) => isHealthy).length;
    // One or two members cannot spare any: etcd is away until the new machine has the volume.
    const needed = size <= 2 ? size - 1 : quorumOf(size);
    if (healthy >= needed) continue;
    const away = others.filter(({ isHealthy }) => !isHealthy).map((one) => one.name);
    return `etcd ${name} would lose its quorum: of its ${size} members, ${away.join(', ') || 'others'} ${away.length === 1 ? 'does' : 'do'} not serve`;
  }
  return undefined;
}
