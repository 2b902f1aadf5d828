import type { EtcdAlarm } from '../etcd/alarms.ts';

/** One member's database, as its own etcd describes it. */
export interface DatabaseView {
  readonly id: string;
  readonly member: string;
  readonly isLeader: boolean;
  readonly sizeBytes: number;
  /** How much of the file is in use; etcd 3.3 does not report it. */
  readonly inUseBytes?: number;
}

export interface ObservedCare {
  /** The databases of the members that answer. */
  readonly databases: readonly DatabaseView[];
  /** All members of the cluster answer. */
  readonly isComplete: boolean;
  readonly memberIds: readonly string[];
  readonly alarms: readonly EtcdAlarm[];
  readonly quotaBytes: number;
  readonly revision: number;
  /** The observer's monotonic clock. */
  readonly nowMs: number;
  /** The last compaction because of the current alarm; absent if there was none. */
  readonly compacted?: { readonly revision: number; readonly atMs: number };
  /** When each member's database was last defragmented because of the current alarm. */
  readonly defragmentedMs: ReadonlyMap<string, number>;
}

export type CareStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  | { readonly action: 'compact'; readonly revision: number }
  | { readonly action: 'defragment'; readonly member: string; readonly id: string }
  | { readonly action: 'disarm'; readonly alarm: EtcdAlarm }
);

/** The thresholds of the defrag controller of OpenShift's etcd operator: 45 % of at least 100 MB. */
const MIN_BYTES = 100 * 1024 * 1024;
const MAX_FRAGMENTED = 0.45;
/** An alarm is lifted below this share of the quota. Closer to the quota it would come back at once. */
const CALM_SHARE = 0.8;
/**
 * While a database stays full, what was deleted in the meantime is compacted and the databases are shrunk this often: a
 * member answers nothing while it is defragmented.
 */
const RETRY_MS = 60_000;
/** A defragmentation that would gain less than this share of the quota is not repeated. */
const MIN_GAIN_SHARE = 0.02;

/**
 * Decides the leader's next step to maintain the databases. A member answers nothing while it is defragmented. So members
 * are defragmented one at a time, the leader last, and only while all of them answer, unless there is an alarm.
 */
export function planCare(observed: ObservedCare): CareStep {
  const { alarms, memberIds, isComplete } = observed;
  // Whose data is right is decided by comparing it (corruption/compare-data.ts). Until then nobody may write to it.
  if (alarms.some(({ alarm }) => alarm === 'CORRUPT')) {
    return {
      action: 'wait',
      summary: 'etcd reports CORRUPT: nothing is changed until the data of the members has been compared',
    };
  }
  const stale = alarms.find(({ memberId }) => memberId !== undefined && !memberIds.includes(memberId));
  if (stale !== undefined) {
    return { action: 'disarm', alarm: stale, summary: `lift the ${stale.alarm} alarm of a member that was removed` };
  }
  const [noSpace] = alarms;
  if (noSpace !== undefined) return planNoSpace(observed, noSpace);
  if (!isComplete) return { action: 'wait', summary: 'wait for all members to answer' };
  const fragmented = lastTheLeader(observed).find((database) => isWorthIt(database));
  if (fragmented === undefined) return { action: 'nothing', summary: 'the databases are in order' };
  const { id, member, sizeBytes, inUseBytes = sizeBytes } = fragmented;
  const summary = `defragment ${member}: ${mib(inUseBytes)} of ${mib(sizeBytes)} are in use`;
  return { action: 'defragment', id, member, summary };
}

/**
 * etcd accepts no writes until the alarm is lifted: compact, then defragment every member, then lift it. Deletions are
 * accepted all the while, so if that was not enough, it is repeated as room is made.
 */
function planNoSpace(observed: ObservedCare, alarm: EtcdAlarm): CareStep {
  const { revision, compacted, quotaBytes, nowMs } = observed;
  const compact = (why: string): CareStep => {
    return { action: 'compact', revision, summary: `discard the revisions before ${revision}: ${why}` };
  };
  if (compacted === undefined) return compact(`the database has reached its quota of ${mib(quotaBytes)}`);
  const next = lastTheLeader(observed).find((database) => isDue(database, compacted.atMs, observed));
  if (next !== undefined) {
    const { id, member, sizeBytes } = next;
    return { action: 'defragment', id, member, summary: `defragment ${member} (${mib(sizeBytes)}) to make room` };
  }
  const largest = Math.max(0, ...observed.databases.map(({ sizeBytes }) => sizeBytes));
  if (largest <= quotaBytes * CALM_SHARE) {
    return { action: 'disarm', alarm, summary: `lift the NOSPACE alarm: the database has shrunk to ${mib(largest)}` };
  }
  if (revision > compacted.revision && nowMs - compacted.atMs >= RETRY_MS) {
    return compact('objects were deleted or leases have expired since the last time');
  }
  const summary = `the database still has ${mib(largest)} of its quota of ${mib(quotaBytes)}: delete objects, which makes room within minutes, or raise the quota (ETCD_QUOTA_BACKEND_BYTES in spec.etcdClusters[].manager.env)`;
  return { action: 'wait', summary };
}

/** It has not been defragmented because of this alarm yet, or there is room to gain again. */
function isDue(
  database: DatabaseView,
  compactedMs: number,
  { defragmentedMs, quotaBytes, nowMs }: ObservedCare,
): boolean {
  const { member, sizeBytes, inUseBytes } = database;
  const lastMs = defragmentedMs.get(member);
  if (lastMs === undefined) return true;
  // etcd 3.3 does not say how much is in use.
  if (inUseBytes === undefined) return lastMs < compactedMs;
  return sizeBytes - inUseBytes >= quotaBytes * MIN_GAIN_SHARE && nowMs - lastMs >= RETRY_MS;
}

function lastTheLeader({ databases }: ObservedCare): readonly DatabaseView[] {
  return databases.toSorted((left, right) => Number(left.isLeader) - Number(right.isLeader));
}

function isWorthIt({ sizeBytes, inUseBytes }: DatabaseView): boolean {
  return inUseBytes !== undefined && sizeBytes >= MIN_BYTES && sizeBytes - inUseBytes > sizeBytes * MAX_FRAGMENTED;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
