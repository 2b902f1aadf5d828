/** One member's database, as its own etcd describes it. */
export interface DatabaseView {
  readonly id: string;
  readonly member: string;
  readonly isLeader: boolean;
  readonly sizeBytes: number;
  /** How much of the file is in use; etcd 3.3 does not report it. */
  readonly inUseBytes?: number;
}

export interface Alarm {
  readonly memberId: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

export interface ObservedCare {
  /** The databases of the members that answer. */
  readonly databases: readonly DatabaseView[];
  /** All members of the cluster answer. */
  readonly isComplete: boolean;
  readonly memberIds: readonly string[];
  readonly alarms: readonly Alarm[];
  readonly quotaBytes: number;
  readonly revision: number;
  /** The last revision that was compacted because of the current alarm; absent if none was. */
  readonly compactedRevision?: number;
  /** The members whose database was defragmented since then. */
  readonly defragmented: readonly string[];
}

export type CareStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  | { readonly action: 'compact'; readonly revision: number }
  | { readonly action: 'defragment'; readonly member: string; readonly id: string }
  | { readonly action: 'disarm'; readonly alarm: Alarm }
);

/** The thresholds of the defrag controller of OpenShift's etcd operator: 45 % of at least 100 MB. */
const MIN_BYTES = 100 * 1024 * 1024;
const MAX_FRAGMENTED = 0.45;
/** An alarm is lifted below this share of the quota. Closer to the quota it would come back at once. */
const CALM_SHARE = 0.8;

/**
 * Decides the leader's next step to maintain the databases. A member answers nothing while it is defragmented. So members
 * are defragmented one at a time, the leader last, and only while all of them answer, unless there is an alarm.
 */
export function planCare(observed: ObservedCare): CareStep {
  const { alarms, memberIds, isComplete } = observed;
  const stale = alarms.find(({ memberId }) => !memberIds.includes(memberId));
  if (stale !== undefined) {
    return { action: 'disarm', alarm: stale, summary: `lift the ${stale.alarm} alarm of a member that was removed` };
  }
  const noSpace = alarms.find(({ alarm }) => alarm === 'NOSPACE');
  if (noSpace !== undefined) return planNoSpace(observed, noSpace);
  if (!isComplete) return { action: 'wait', summary: 'wait for all members to answer' };
  const fragmented = lastTheLeader(observed).find((database) => isWorthIt(database));
  if (fragmented === undefined) return { action: 'nothing', summary: 'the databases are in order' };
  const { id, member, sizeBytes, inUseBytes = sizeBytes } = fragmented;
  const summary = `defragment ${member}: ${mib(inUseBytes)} of ${mib(sizeBytes)} are in use`;
  return { action: 'defragment', id, member, summary };
}

/** etcd accepts no writes until the alarm is lifted: compact, then defragment every member, then lift it. */
function planNoSpace(observed: ObservedCare, alarm: Alarm): CareStep {
  const { revision, compactedRevision, quotaBytes } = observed;
  if (compactedRevision === undefined) {
    const summary = `discard the revisions before ${revision}: the database has reached its quota of ${mib(quotaBytes)}`;
    return { action: 'compact', revision, summary };
  }
  const next = lastTheLeader(observed).find(({ member }) => !observed.defragmented.includes(member));
  if (next !== undefined) {
    const { id, member, sizeBytes } = next;
    return { action: 'defragment', id, member, summary: `defragment ${member} (${mib(sizeBytes)}) to make room` };
  }
  const largest = Math.max(0, ...observed.databases.map(({ sizeBytes }) => sizeBytes));
  if (largest > quotaBytes * CALM_SHARE) {
    const summary = `the database still has ${mib(largest)} of its quota of ${mib(quotaBytes)}: raise the quota (ETCD_QUOTA_BACKEND_BYTES in spec.etcdClusters[].manager.env) or delete objects`;
    return { action: 'wait', summary };
  }
  return { action: 'disarm', alarm, summary: `lift the NOSPACE alarm: the database has shrunk to ${mib(largest)}` };
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
