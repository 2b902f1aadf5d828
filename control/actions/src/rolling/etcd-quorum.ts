import type { MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';

/** One etcd cluster, as its managers tell. */
export interface EtcdHealth {
  readonly name: string;
  /** How many members it has. */
  readonly size: number;
  readonly members: readonly { readonly name: string; readonly address: string; readonly isHealthy: boolean }[];
}

/** Managers write their status at least twice a minute. */
const FRESH_MS = 90_000;

export interface EtcdMachine {
  readonly address: string;
  readonly running: boolean;
  readonly launchedMs?: number;
}

/**
 * How the members of an etcd cluster are. A status counts only while it is fresh, and not if it was written by an earlier
 * machine with the same address. Pure.
 */
export function etcdHealth(
  name: string,
  statuses: readonly MemberStatus[],
  machines: readonly EtcdMachine[],
  nowMs: number,
): EtcdHealth {
  const members = statuses.map(({ member, address, updatedAt, etcd, problem }) => {
    const machine = machines.find((one) => one.address === address);
    const writtenMs = Date.parse(updatedAt);
    const serves = etcd?.leaderId !== undefined && !etcd.isLearner && problem === undefined;
    const isOfMachine = machine?.running === true && writtenMs >= (machine.launchedMs ?? 0);
    return { name: member, address, isHealthy: serves && isOfMachine && nowMs - writtenMs <= FRESH_MS };
  });
  // What etcd itself says, as told by a member that serves, does not count members that were removed.
  const told = statuses.filter((_, index) => members[index]?.isHealthy === true).map((one) => one.members?.length ?? 0);
  return { name, size: Math.max(1, told.length > 0 ? Math.max(...told) : members.length), members };
}

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
