/** One member's database, as its own etcd describes it. */
export interface DatabaseView {
  readonly id: string;
  readonly member: string;
  readonly isLeader: boolean;
  readonly sizeBytes: number;
  /** What is in use of it; etcd 3.3 does not say. */
  readonly inUseBytes?: number;
}

export interface Alarm {
  readonly memberId: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

export interface ObservedCare {
  /** Members that answer. */
  readonly databases: readonly DatabaseView[];
  /** Every member of the cluster answers. */
  readonly isComplete: boolean;
  readonly memberIds: readonly string[];
  readonly alarms: readonly Alarm[];
  readonly quotaBytes: number;
  readonly revision: number;
  /** The revision that was compacted last for the alarm at hand; undefined: not yet. */
  readonly compactedRevision?: number;
  /** Members whose database was defragmented since that compaction, or by the care before. */
  readonly defragmented: readonly string[];
}

export type CareStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  | { readonly action: 'compact'; readonly revision: number }
  | { readonly action: 'defragment'; readonly member: string; readonly id: string }
  | { readonly action: 'disarm'; readonly alarm: Alarm }
);

/** What OpenShift's etcd operator holds a defragmentation worth: 45 % of at least 100 MB (its defrag controller). */
const MIN_BYTES = 100 * 1024 * 1024;
const MAX_FRAGMENTED = 0.45;
/** Below this share of the quota an alarm may be lifted; lifted at its edge it would come back at once. */
const CALM_SHARE = 0.8;

/**
 * Decides what the leader does for the databases, one step at a time. An etcd that is defragmented answers nothing
 * meanwhile, so that is done to one at a time, to the leader last, and, where no alarm presses, only while all answer.
 */
export function planCare(observed: ObservedCare): CareStep {
  const { alarms, memberIds, isComplete } = observed;
  const stale = alarms.find(({ memberId }) => !memberIds.includes(memberId));
  if (stale !== undefined) {
    return { action: 'disarm', alarm: stale, summary: `lift ${stale.alarm} of a member that is no more` };
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

/** etcd takes no writes until the alarm is lifted: old revisions go, then the space they took, then the alarm. */
function planNoSpace(observed: ObservedCare, alarm: Alarm): CareStep {
  const { revision, compactedRevision, quotaBytes } = observed;
  if (compactedRevision === undefined) {
    const summary = `forget the revisions before ${revision}: the database has reached its quota of ${mib(quotaBytes)}`;
    return { action: 'compact', revision, summary };
  }
  const next = lastTheLeader(observed).find(({ member }) => !observed.defragmented.includes(member));
  if (next !== undefined) {
    const { id, member, sizeBytes } = next;
    return { action: 'defragment', id, member, summary: `defragment ${member} (${mib(sizeBytes)}) to make room` };
  }
  const largest = Math.max(0, ...observed.databases.map(({ sizeBytes }) => sizeBytes));
  if (largest > quotaBytes * CALM_SHARE) {
    const summary = `the database stays at ${mib(largest)} of ${mib(quotaBytes)}: raise the quota (ETCD_QUOTA_BACKEND_BYTES in spec.etcdClusters[].manager.env) or delete objects`;
    return { action: 'wait', summary };
  }
  return { action: 'disarm', alarm, summary: `lift NOSPACE: the database has shrunk to ${mib(largest)}` };
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
