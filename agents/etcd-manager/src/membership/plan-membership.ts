import type { Comparison } from '../corruption/compare-data.ts';
import type { EtcdAlarm } from '../etcd/alarms.ts';
import type { ListedMember } from '../plan-cluster.ts';
import { quorumOf } from '@kopsctl/state-store/etcd/quorum.ts';

/** A member as etcd lists it, and how it answers. */
export interface MemberView extends ListedMember {
  /** The machine's member name, e.g. `a`; etcd's own name is `etcd-a`. */
  readonly member: string;
  readonly isLeader: boolean;
  /** How long it has not been healthy, by the observer's clock; 0 if it is healthy. */
  readonly silentForMs: number;
}

/** A machine that can run a member, as its manager describes it in the store. */
export interface PeerView {
  readonly member: string;
  readonly peerUrl: string;
  /** Its volume holds data of this cluster. */
  readonly hasData: boolean;
  /** It has served this cluster before. One that has not may be about to start for the first time. */
  readonly hasServed: boolean;
  /** Why its etcd cannot run although its volume is mounted. */
  readonly problem?: string;
}

export interface ObservedMembership {
  readonly memberCount: number;
  readonly members: readonly MemberView[];
  /** The machines whose managers are alive. */
  readonly peers: readonly PeerView[];
  /** etcd 3.4 and newer: a new member catches up before it gets a vote. */
  readonly hasLearners: boolean;
  /** How long a member may be silent before another machine replaces it. */
  readonly patienceMs: number;
  /** A listed member whose removal an earlier leader has begun. That call may still arrive, whatever has changed since. */
  readonly unfinishedRemoval?: { readonly id: string };
  /** The alarms by which etcd says that members hold different data. While there is one, etcd takes no writes. */
  readonly corruptAlarms: readonly EtcdAlarm[];
  /** What the data of the voters says. Compared while there is such an alarm, or a member does not start with its data. */
  readonly comparison?: Comparison;
  /** How long all voters have held the same data. */
  readonly sameForMs: number;
}

export type MembershipStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  /** Nothing is changed until a person has decided. */
  | { readonly action: 'refuse'; readonly next: string }
  | { readonly action: 'lift-corrupt'; readonly alarms: readonly EtcdAlarm[] }
  | { readonly action: 'add'; readonly peerUrl: string; readonly isLearner: boolean }
  | { readonly action: 'remove' | 'promote' | 'move-leader'; readonly id: string; readonly name: string }
);

/** A member with a problem is given this long to recover. */
const PROBLEM_MS = 30_000;
/** The members have to agree for this long before the CORRUPT alarm is lifted: one that lags behind agrees by chance. */
const SAME_MS = 30_000;

/**
 * Decides the leader's next change of the members.
 *
 * Invariants:
 * - There is one change at a time, and none while an earlier one is unfinished, whoever began it.
 * - No step takes the cluster below quorum.
 * - A member that is merely silent is kept until `patienceMs` has passed and another machine can replace it.
 * - While members contradict each other and no majority agrees, no member is removed: it might be the one that is right.
 */
export function planMembership(observed: ObservedMembership): MembershipStep {
  const { members } = observed;
  const voters = members.filter(({ isLearner }) => !isLearner);
  const healthy = voters.filter(isWell).length;
  if (healthy < quorumOf(voters.length)) {
    return { action: 'wait', summary: `no quorum: ${healthy} of ${voters.length} members answer` };
  }
  const { comparison } = observed;
  if (comparison?.verdict === 'unclear') return refuseUnclear(comparison);
  return (
    planUnfinished(observed, voters) ??
    planAlarm(observed) ??
    planNewcomer(observed) ??
    planCorrupt(observed, voters) ??
    planBroken(observed, voters) ??
    planSurplus(observed, voters) ??
    planDead(observed, voters) ??
    planMissing(observed, voters) ??
    planAway(voters) ??
    waitForAgreement(observed) ?? { action: 'nothing', summary: 'the cluster has all wanted members' }
  );
}

/**
 * A removal that an earlier leader has begun is carried out: the member's id then no longer exists, and a call that arrives
 * late has no effect. Until then the member does not count, because it may vanish at any moment.
 */
function planUnfinished(
  { members, unfinishedRemoval }: ObservedMembership,
  voters: readonly MemberView[],
): MembershipStep | undefined {
  const victim = members.find(({ id }) => id === unfinishedRemoval?.id);
  if (victim === undefined) return undefined;
  const { id, member } = victim;
  if (!victim.isLearner && !keepsQuorumWithout(victim, voters)) {
    return {
      action: 'wait',
      summary: `an earlier leader may have removed ${member}, and too few others answer to finish that`,
    };
  }
  const heir = voters.find((voter) => voter.id !== id && isWell(voter));
  if (victim.isLeader && heir !== undefined) {
    const summary = `move the leadership to ${heir.member}: an earlier leader has begun to remove ${member}`;
    return { action: 'move-leader', id: heir.id, name: heir.member, summary };
  }
  const summary = `remove ${member}: an earlier leader has begun to, and its call may still arrive`;
  return { action: 'remove', id, name: member, summary };
}

/** A member that was added is brought to a vote, or removed again, before anything else begins. */
function planNewcomer({ members, peers, patienceMs }: ObservedMembership): MembershipStep | undefined {
  const newcomer = members.find(({ isLearner, name }) => isLearner || name === '');
  if (newcomer === undefined) return undefined;
  const { id, member, name, isLearner, silentForMs } = newcomer;
  const hasLostData = name !== '' && peers.some((peer) => peer.member === member && !peer.hasData);
  if (hasLostData && silentForMs > 0)
    return { action: 'remove', id, name: member, summary: `remove ${member}: it lost its data before it had a vote` };
  if (silentForMs > patienceMs)
    return { action: 'remove', id, name: member, summary: `remove ${member}: it was added and never started` };
  if (name === '' || silentForMs > 0) return { action: 'wait', summary: `wait for ${member} to start` };
  if (!isLearner) return undefined;
  return { action: 'promote', id, name: member, summary: `give ${member} a vote: it has caught up` };
}

function refuseUnclear({ summary }: Comparison & { readonly verdict: 'unclear' }): MembershipStep {
  return {
    action: 'refuse',
    summary: `${summary}: no member is removed`,
    next: 'restore a backup from before (`kopsctl etcd list-backups`, then `kopsctl etcd restore-backup BACKUP`): all members then hold the same data',
  };
}

/** A member that holds other data than the majority is replaced, which gives it theirs. */
function planCorrupt(
  { comparison, peers, patienceMs }: ObservedMembership,
  voters: readonly MemberView[],
): MembershipStep | undefined {
  if (comparison?.verdict !== 'corrupt') return undefined;
  const corrupt = voters.filter(({ id }) => comparison.ids.includes(id));
  const names = corrupt.map(({ member }) => member).join(', ');
  const victim = corrupt.find(({ member, silentForMs }) => {
    const isThere = peers.some((peer) => peer.member === member);
    return silentForMs > (isThere ? PROBLEM_MS : patienceMs);
  });
  // Other members that do not start may have refused to because of these.
  if (victim === undefined || !keepsQuorumWithout(victim, voters))
    return { action: 'wait', summary: `the data of ${names} differs from that of the majority` };
  const { id, member } = victim;
  const summary = `remove ${member} to add it again: its data differs from that of the majority`;
  return { action: 'remove', id, name: member, summary };
}

/** etcd itself never lifts its alarm, not even after the member that it was raised for has been replaced. */
function planAlarm({ corruptAlarms, comparison, sameForMs }: ObservedMembership): MembershipStep | undefined {
  if (corruptAlarms.length === 0 || comparison?.verdict !== 'same' || sameForMs < SAME_MS) return undefined;
  const summary = 'lift the CORRUPT alarm: all members hold the same data';
  return { action: 'lift-corrupt', alarms: corruptAlarms, summary };
}

function waitForAgreement({ corruptAlarms }: ObservedMembership): MembershipStep | undefined {
  if (corruptAlarms.length === 0) return undefined;
  return { action: 'wait', summary: 'etcd reports CORRUPT: wait until all members agree on their data' };
}

/** A member whose manager is alive and reports that its data is gone or unusable is replaced without waiting. */
function planBroken({ peers }: ObservedMembership, voters: readonly MemberView[]): MembershipStep | undefined {
  for (const voter of voters.filter((one) => !isWell(one))) {
    const peer = peers.find(({ member }) => member === voter.member);
    if (peer === undefined || !keepsQuorumWithout(voter, voters)) continue;
    const isUnusable = peer.problem !== undefined && voter.silentForMs > PROBLEM_MS;
    const isLost = !peer.hasData && peer.hasServed;
    const why = isLost ? 'its data is gone' : peer.problem;
    if (isLost || isUnusable) {
      const summary = `remove ${voter.member} to add it again: ${why ?? ''}`;
      return { action: 'remove', id: voter.id, name: voter.member, summary };
    }
  }
  return undefined;
}

/** The first member that has been silent for too long, if a machine stands by to replace it. */
function planDead(observed: ObservedMembership, voters: readonly MemberView[]): MembershipStep | undefined {
  const [candidate] = candidates(observed);
  const dead = voters.find((voter) => voter.silentForMs > observed.patienceMs && keepsQuorumWithout(voter, voters));
  if (candidate === undefined || dead === undefined) return undefined;
  const seconds = Math.round(dead.silentForMs / 1000);
  return {
    action: 'remove',
    id: dead.id,
    name: dead.member,
    summary: `remove ${dead.member}: it has not answered for ${seconds} s, and ${candidate.member} can replace it`,
  };
}

/**
 * Too many members: the ones that are away are removed first, then the ones with the highest names. A leader hands over before it
 * goes. One that restarts, for another version for example, comes back: a person who asked for fewer members wants it to stay.
 */
function planSurplus(observed: ObservedMembership, voters: readonly MemberView[]): MembershipStep | undefined {
  const { members, memberCount } = observed;
  if (members.length <= memberCount) return undefined;
  const byName = voters.toSorted((left, right) => (left.member < right.member ? 1 : -1));
  const away = byName.find((voter) => isAway(voter, observed) && keepsQuorumWithout(voter, voters));
  const restarting = voters.filter((voter) => !isWell(voter) && !isAway(voter, observed));
  if (away === undefined && restarting.length > 0) {
    const names = restarting.map(({ member }) => member).join(', ');
    const summary = `there are ${members.length} members, but the cluster should have ${memberCount}; wait for ${names} to answer again before one is removed`;
    return { action: 'wait', summary };
  }
  const victim = away ?? byName[0];
  if (victim === undefined || !keepsQuorumWithout(victim, voters)) {
    return {
      action: 'wait',
      summary: `there are ${members.length} members, but the cluster should have ${memberCount}; too few answer to remove one`,
    };
  }
  const heir = byName.findLast((voter) => isWell(voter) && voter.id !== victim.id);
  if (victim.isLeader && heir !== undefined) {
    const summary = `move the leadership to ${heir.member}: ${victim.member} will be removed`;
    return { action: 'move-leader', id: heir.id, name: heir.member, summary };
  }
  const summary = `remove ${victim.member}: there are ${members.length} members, but the cluster should have ${memberCount}`;
  return { action: 'remove', id: victim.id, name: victim.member, summary };
}

function planMissing(observed: ObservedMembership, voters: readonly MemberView[]): MembershipStep | undefined {
  const { members, memberCount, hasLearners } = observed;
  if (members.length >= memberCount) return undefined;
  const [candidate] = candidates(observed);
  const lacking = `there are ${members.length} of ${memberCount} members`;
  if (candidate === undefined) return { action: 'wait', summary: `${lacking}; wait for a machine that can run one` };
  // A member that votes at once raises the quorum at once, and the quorum could be lost before that member has started.
  if (!hasLearners && !voters.every(isWell))
    return { action: 'wait', summary: `${lacking}; wait for all of them to answer` };
  const { peerUrl } = candidate;
  return { action: 'add', peerUrl, isLearner: hasLearners, summary: `add ${candidate.member}: ${lacking}` };
}

function planAway(voters: readonly MemberView[]): MembershipStep | undefined {
  const away = voters.filter((voter) => !isWell(voter)).map(({ member }) => member);
  return away.length === 0 ? undefined : { action: 'wait', summary: `wait for ${away.join(', ')} to answer again` };
}

/**
 * The machines that can run a new member, in order of their names. A machine with data of this cluster has to set it
 * aside first, and one with a problem, such as a read-only disk, cannot run a member.
 */
function candidates({ peers, members }: ObservedMembership): readonly PeerView[] {
  return peers
    .filter((peer) => !peer.hasData && peer.problem === undefined)
    .filter((peer) => !members.some(({ peerUrl }) => peerUrl === peer.peerUrl))
    .toSorted((left, right) => (left.member < right.member ? -1 : 1));
}

/** Its machine is away, or its manager has not brought it back for a long time. */
function isAway(voter: MemberView, { peers, patienceMs }: ObservedMembership): boolean {
  const isManaged = peers.some(({ member }) => member === voter.member);
  return !isWell(voter) && (!isManaged || voter.silentForMs > patienceMs);
}

function isWell({ silentForMs }: MemberView): boolean {
  return silentForMs === 0;
}

function keepsQuorumWithout(victim: MemberView, voters: readonly MemberView[]): boolean {
  const rest = voters.filter(({ id }) => id !== victim.id);
  return rest.length > 0 && rest.filter(isWell).length >= quorumOf(rest.length);
}
