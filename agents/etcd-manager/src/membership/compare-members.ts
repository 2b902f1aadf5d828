import type { Log } from '@kopsctl/agent/log.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { Clock } from '../clock.ts';
import { compareData, type Comparison } from '../corruption/compare-data.ts';
import { observeData } from '../corruption/observe-data.ts';
import type { EtcdStatus } from '../etcd/client.ts';
import { hasReliableHashes } from '../etcd/corruption-checks.ts';
import type { Etcds } from '../etcd/etcds.ts';
import type { ListedMember } from '../plan-cluster.ts';

/** A member as etcd lists it, and its answer. */
interface AnsweringMember {
  readonly listed: Pick<ListedMember, 'id' | 'isLearner'>;
  readonly member: string;
  readonly status: Pick<EtcdStatus, 'revision' | 'version'> | undefined;
  readonly isWell: boolean;
  /** See `MemberStatus.etcdStart`. */
  readonly etcdStart: string | undefined;
}

/** What the leader remembers about the data of the members. Times are those of its own monotonic clock. */
export interface Compared {
  /** The result of the last comparison, which reads all data of the members. */
  compared?: { readonly comparison: Comparison; readonly atMs: number; readonly sameSinceMs: number | undefined };
  /** When all members held the same, and which starts of theirs that was after; absent once one has been away since. */
  agreed?: { readonly atMs: number; readonly starts: string };
}

/**
 * Every member reads its whole database for a comparison. That is worth doing more often while nothing can be written, and
 * while a member is about to be removed for what one comparison said; and hardly ever if nobody suspects anything and a member
 * did not answer.
 */
const COMPARE_MS = { soon: 10_000, writing: 60_000, unasked: 10 * 60_000 };
/** etcd 3.5 compares nothing when a member starts until its log has a snapshot, and otherwise only every twelve hours. */
const AGREED_FOR_MS = 60 * 60_000;

/**
 * Compares the data of the voters if there is a reason to, or returns what it said a moment ago. A reason is that etcd
 * suspects them, that all are well again after one has been away or was started, or that they have not been compared for an
 * hour. Undefined if there is no reason. Updates `watched`.
 *
 * @param suspicion `isFrozen`: an alarm lets nothing be written. `isStuck`: a member does not start with its data.
 */
export async function compareMembers(
  config: EtcdClusterConfig,
  members: readonly AnsweringMember[],
  { isFrozen, isStuck }: { readonly isFrozen: boolean; readonly isStuck: boolean },
  watched: Compared,
  env: { readonly etcds: Pick<Etcds, 'dataHash'>; readonly clock: Pick<Clock, 'nowMs'>; readonly log: Log },
  signal: AbortSignal,
): Promise<Compared['compared']> {
  const nowMs = env.clock.nowMs();
  // A member that was away, or was started again before anybody noticed, may have come back with other data.
  const starts = JSON.stringify(members.map(({ listed, etcdStart }) => [listed.id, etcdStart]));
  if (watched.agreed !== undefined && (watched.agreed.starts !== starts || members.some(({ isWell }) => !isWell))) {
    delete watched.agreed;
    delete watched.compared;
  }
  const isOverdue = watched.agreed === undefined || nowMs - watched.agreed.atMs > AGREED_FOR_MS;
  if (!isFrozen && !isStuck && !(isOverdue && canCompareUnasked(members))) {
    delete watched.compared;
    return undefined;
  }
  const last = watched.compared;
  if (last !== undefined && nowMs - last.atMs < pauseMs(last.comparison, isFrozen, isStuck)) return last;
  const voters = members
    .filter(({ listed }) => !listed.isLearner)
    .map(({ listed: { id }, member, status }) => ({ id, member, ...(status && { revision: status.revision }) }));
  const comparison = compareData(await observeData(config, voters, env, signal), isFrozen);
  const isSame = comparison.verdict === 'same';
  if (isSame) watched.agreed = { atMs: nowMs, starts };
  watched.compared = { comparison, atMs: nowMs, sameSinceMs: isSame ? (last?.sameSinceMs ?? nowMs) : undefined };
  return watched.compared;
}

function pauseMs({ verdict }: Comparison, isFrozen: boolean, isStuck: boolean): number {
  if (isFrozen || verdict === 'corrupt') return COMPARE_MS.soon;
  return verdict === 'incomplete' && !isStuck ? COMPARE_MS.unasked : COMPARE_MS.writing;
}

/** Without a suspicion, only equal versions whose hashes can be trusted are compared, and only while every member answers. */
function canCompareUnasked(members: readonly AnsweringMember[]): boolean {
  const [version, ...more] = new Set(members.map(({ status }) => status?.version ?? ''));
  if (members.length < 2 || version === undefined || more.length > 0) return false;
  return hasReliableHashes(version) && members.every(({ isWell, listed }) => isWell && !listed.isLearner);
}
