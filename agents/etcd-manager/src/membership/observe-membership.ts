import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { parseJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { readStatuses, type MemberStatus } from '@kopsctl/state-store/etcd/member-status.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import type { Clock } from '../clock.ts';
import type { EtcdAlarm } from '../etcd/alarms.ts';
import type { EtcdStatus } from '../etcd/client.ts';
import type { Etcds } from '../etcd/etcds.ts';
import { memberHost, peerUrl } from '../etcd/settings.ts';
import type { ListedMember } from '../plan-cluster.ts';
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
  const own = await askOwnEtcd(config, env, signal);
  if (own?.status.leaderId === undefined) {
    forgetSilence(watched);
    return undefined;
  }
  const { leaderId, version } = own.status;
  const [change, statuses, memberCount, answers] = await Promise.all([
    readChange(env.store, config.backupPath, signal),
    readStatuses(env.store, config.backupPath, signal),
    readMemberCount(config, env.store, signal),
    askMembers(own, config, env, signal),
  ]);
  // This manager was paused, or the store was away. A comparison may take long, and is not such a gap.
  const startedMs = env.clock.nowMs();
  if (startedMs - (watched.lookedMs ?? startedMs) > LONGEST_GAP_MS) forgetSilence(watched);
  const corruptAlarms = own.alarms.filter(({ alarm }) => alarm === 'CORRUPT');
  const peers = livePeers(config, statuses, watched, env.clock.nowMs());
  const asked = own.members.map((listed, index): AskedMember => {
    const member = memberOf(config, listed);
    const etcdStart = statuses.find((status) => status.member === member)?.etcdStart;
    return { listed, member, status: answers[index], etcdStart, isWell: isWell(answers[index], leaderId) };
  });
  const suspicion = { isFrozen: corruptAlarms.length > 0, isStuck: isStuck(asked, peers) };
  const compared = await compareMembers(config, asked, suspicion, watched, env, signal);
  const { comparison } = compared ?? {};
  const nowMs = env.clock.nowMs();
  watched.lookedMs = nowMs;
  const corruptIds = comparison?.verdict === 'corrupt' ? comparison.ids : [];
  return {
    memberCount,
    members: asked.map((one) => viewOf(one, { leaderId, corruptIds, watched, nowMs })),
    peers,
    hasLearners: !version.startsWith('3.3.'),
    patienceMs: patienceMs(config),
    corruptAlarms,
    ...(comparison && { comparison }),
    sameForMs: compared?.sameSinceMs === undefined ? 0 : nowMs - compared.sameSinceMs,
    ...(change.removal && { unfinishedRemoval: change.removal }),
    change,
  };
}

/** A member as etcd lists it, and its answer. */
interface AskedMember {
  readonly listed: ListedMember;
  readonly member: string;
  readonly status: EtcdStatus | undefined;
  readonly isWell: boolean;
  /** See `MemberStatus.etcdStart`. */
  readonly etcdStart: string | undefined;
}

interface OwnEtcd {
  readonly status: EtcdStatus;
  readonly members: readonly ListedMember[];
  readonly alarms: readonly EtcdAlarm[];
}

/** Undefined while the local etcd does not answer. */
const askOwnEtcd = (
  config: EtcdClusterConfig,
  { etcds, address }: MembershipEnv,
  signal: AbortSignal,
): Promise<OwnEtcd | undefined> =>
  etcds.askIfThere(
    address,
    config,
    async (etcd) => ({
      status: await etcd.status(signal),
      members: await etcd.members(signal),
      alarms: await etcd.alarms(signal),
    }),
    signal,
  );

/** The status of each listed member in their order; undefined for members that do not answer. */
const askMembers = (
  { status: own, members }: OwnEtcd,
  config: EtcdClusterConfig,
  { etcds }: MembershipEnv,
  signal: AbortSignal,
): Promise<readonly (EtcdStatus | undefined)[]> =>
  Promise.all(
    members.map(async (listed) => {
      if (listed.id === own.memberId) return own;
      const host = memberHost(config, memberOf(config, listed));
      return etcds.askIfThere(host, config, (etcd) => etcd.status(signal), signal);
    }),
  );

/** A member that was told to compare its data with the others' before it serves does not start if any of them differs. */
const isStuck = (asked: readonly AskedMember[], peers: readonly PeerView[]): boolean =>
  asked.some(
    ({ member, isWell: well }) => !well && peers.some((peer) => peer.member === member && peer.problem !== undefined),
  );

interface Look {
  readonly leaderId: string;
  readonly corruptIds: readonly string[];
  readonly watched: Watched;
  readonly nowMs: number;
}

/** Notes since when the member is silent. One whose data is corrupt counts as silent. */
function viewOf(
  { listed, member, isWell: well }: AskedMember,
  { leaderId, corruptIds, watched, nowMs }: Look,
): MemberView {
  const silentForMs = silence(watched, listed.id, well && !corruptIds.includes(listed.id), nowMs);
  return { ...listed, member, isLeader: listed.id === leaderId, silentForMs };
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
