import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { readStatuses, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import type { Clock } from '../clock.ts';
import type { EtcdStatus } from '../etcd/client.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { memberHost, peerUrl } from '../etcd/settings.ts';
import { SPEC } from '../store/layout.ts';
import { compareMembers, type Compared } from './compare-members.ts';
import { readChange, type StoredChange } from './change-record.ts';
import { memberOf } from './member-of.ts';
import { patienceMs } from './patience.ts';
import type { MemberView, ObservedMembership, PeerView } from './plan-membership.ts';

/** A manager writes its status at least this often (publish-status.ts). One that misses two of them is silent. */
export const STATUS_MS = 30_000;
export const PEER_SILENT_MS = 2 * STATUS_MS + 10_000;
/** The leader looks every ten seconds, and after a failure within thirty. */
const LONGEST_GAP_MS = 60_000;

/** What the leader remembers between two looks. Times are those of its own monotonic clock. */
export interface Watched extends Compared {
  /** The term in which this was observed. Nothing is known about the time between two terms. */
  readonly epoch: number;
  /** Since when a member has not been healthy, by etcd's member id. */
  readonly silentSinceMs: Map<string, number>;
  /** The last look that saw a quorum. Nothing is known about the time between two looks that are far apart. */
  lookedMs: number | undefined;
  /** The last status of each machine, and when it was first seen; undefined before the first look. */
  statuses: ReadonlyMap<string, WatchedStatus> | undefined;
  /** The backup taken for a change that etcd has not accepted yet. */
  backedUp?: { readonly summary: string; readonly atMs: number };
  /** The backup of the change that etcd refused last. The change is tried every second, and logged once. */
  refusedAtMs: number | undefined;
}

export function watchedFrom(epoch: number): Watched {
  return { epoch, silentSinceMs: new Map(), lookedMs: undefined, statuses: undefined, refusedAtMs: undefined };
}

/** `isAlive`: the machine's manager wrote it while this one was leading. */
export interface WatchedStatus {
  readonly updatedAt: string;
  readonly sinceMs: number;
  readonly isAlive: boolean;
}

export interface MembershipEnv {
  readonly address: string;
  readonly store: StateStore;
  readonly log: Log;
  readonly etcds: Etcds;
  readonly clock: Clock;
}

/** Reads everything that `planMembership` needs; undefined while the local etcd does not serve. Updates `watched`. */
export async function observeMembership(
  config: EtcdClusterConfig,
  watched: Watched,
  env: MembershipEnv,
  signal: AbortSignal,
): Promise<(ObservedMembership & { readonly change: StoredChange }) | undefined> {
  const own = await env.etcds.askIfThere(
    env.address,
    config,
    async (etcd) => ({
      status: await etcd.status(signal),
      members: await etcd.members(signal),
      alarms: await etcd.alarms(signal),
    }),
    signal,
  );
  if (own?.status.leaderId === undefined) {
    forgetSilence(watched);
    return undefined;
  }
  const { leaderId, memberId } = own.status;
  const [change, statuses, memberCount, answers] = await Promise.all([
    readChange(env.store, config.backupPath, signal),
    readStatuses(env.store, config.backupPath, signal),
    readMemberCount(config, env.store, signal),
    Promise.all(
      own.members.map(async (listed) =>
        listed.id === memberId
          ? own.status
          : env.etcds.askIfThere(
              memberHost(config, memberOf(config, listed)),
              config,
              (etcd) => etcd.status(signal),
              signal,
            ),
      ),
    ),
  ]);
  // This manager was paused, or the store was away. A comparison may take long, and is no such gap.
  const startedMs = env.clock.nowMs();
  if (startedMs - (watched.lookedMs ?? startedMs) > LONGEST_GAP_MS) forgetSilence(watched);
  const corruptAlarms = own.alarms.filter(({ alarm }) => alarm === 'CORRUPT');
  const peers = livePeers(config, statuses, watched, env.clock.nowMs());
  const all = own.members.map((listed, index) => ({
    listed,
    member: memberOf(config, listed),
    status: answers[index],
    etcdStart: statuses.find(({ member }) => member === memberOf(config, listed))?.etcdStart,
    isWell: isWell(answers[index], leaderId),
  }));
  // A member that was told to compare its data with the others' before it serves does not start if any of them differs.
  const isStuck = all.some(
    ({ member, isWell: well }) => !well && peers.some((peer) => peer.member === member && peer.problem !== undefined),
  );
  const suspicion = { isFrozen: corruptAlarms.length > 0, isStuck };
  const compared = await compareMembers(config, all, suspicion, watched, env, signal);
  const { comparison } = compared ?? {};
  const corruptIds = comparison?.verdict === 'corrupt' ? comparison.ids : [];
  const nowMs = env.clock.nowMs();
  watched.lookedMs = nowMs;
  const members = all.map(({ listed, member, isWell: well }): MemberView => {
    const silentForMs = silence(watched, listed.id, well && !corruptIds.includes(listed.id), nowMs);
    return { ...listed, member, isLeader: listed.id === leaderId, silentForMs };
  });
  return {
    memberCount,
    members,
    peers,
    hasLearners: !own.status.version.startsWith('3.3.'),
    patienceMs: patienceMs(config),
    corruptAlarms,
    ...(comparison && { comparison }),
    sameForMs: compared?.sameSinceMs === undefined ? 0 : nowMs - compared.sameSinceMs,
    ...(change.removal && { unfinishedRemoval: change.removal }),
    change,
  };
}

/**
 * Without a quorum here, it is not the others that are silent: once a partition heals, they must not count as silent for as
 * long as it lasted. A member that is really gone is silent from then on.
 */
function forgetSilence(watched: Watched): void {
  watched.silentSinceMs.clear();
  watched.lookedMs = undefined;
  delete watched.agreed;
}

/** A member is healthy if it answers and knows the same leader as the local etcd. */
function isWell(status: EtcdStatus | undefined, leaderId: string): boolean {
  return status?.leaderId === leaderId;
}

function silence(watched: Watched, id: string, isWell: boolean, nowMs: number): number {
  if (isWell) {
    watched.silentSinceMs.delete(id);
    return 0;
  }
  const since = watched.silentSinceMs.get(id) ?? nowMs;
  watched.silentSinceMs.set(id, since);
  // Zero means healthy, so a silent member has more than that from the first look on.
  return Math.max(1, nowMs - since);
}

function livePeers(
  config: EtcdClusterConfig,
  statuses: readonly MemberStatus[],
  watched: Watched,
  nowMs: number,
): readonly PeerView[] {
  const seen = watchStatuses(watched.statuses, statuses, watched.epoch, nowMs);
  watched.statuses = seen;
  return statuses.flatMap(({ member, hasData = true, hasServed = true, problem }) => {
    const { isAlive = false, sinceMs = 0 } = seen.get(member) ?? {};
    if (!isAlive || nowMs - sinceMs > PEER_SILENT_MS) return [];
    return [
      { member, peerUrl: peerUrl(config, member), hasData, hasServed, ...(problem !== undefined && { problem }) },
    ];
  });
}

/**
 * Finds out which machines are alive. A status found at the first look may be that of a machine that is long gone, and
 * its time is of another clock, so it counts only once it changes. A status written in this term counts at once: every
 * manager writes one when a new leader begins (Leadership.see).
 */
export function watchStatuses(
  before: ReadonlyMap<string, WatchedStatus> | undefined,
  statuses: readonly Pick<MemberStatus, 'member' | 'updatedAt' | 'epoch'>[],
  epoch: number,
  nowMs: number,
): ReadonlyMap<string, WatchedStatus> {
  const watch = (status: (typeof statuses)[number]): WatchedStatus => {
    const { member, updatedAt } = status;
    const last = before?.get(member);
    if (last?.updatedAt === updatedAt) return last;
    return { updatedAt, sinceMs: nowMs, isAlive: before !== undefined || status.epoch === epoch };
  };
  return new Map(statuses.map((status) => [status.member, watch(status)]));
}

/** The wanted number of members: what control wrote to the store, otherwise what the node plan says. */
async function readMemberCount(config: EtcdClusterConfig, store: StateStore, signal: AbortSignal): Promise<number> {
  const stored = await store.read(`${config.backupPath}/${SPEC}`, signal);
  const { memberCount } = asRecord(stored && parseJson(stored.bytes));
  return typeof memberCount === 'number' && memberCount > 0 ? memberCount : config.members.length;
}
