import type { RestorePhase, RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

/** Managers look at the record every few seconds; one that has not answered after this is not there. */
const GATHER_MS = 30_000;
/** Where etcd has a quorum, most managers are only out of reach of the store: longer than it takes to restart one. */
const GATHER_MOST_MS = 2 * 60_000;
/** kubelet gives a pod 30 s to end; an API server that is still there after this will not end by itself. */
const STOP_MS = 5 * 60_000;
/** A download at 1 MiB/s of etcd's default quota of 2 GiB takes 34 minutes. */
const RESTORE_MS = 45 * 60_000;
/** etcd replays what it restored within seconds; a machine that died meanwhile is replaced like any other. */
const START_MS = 3 * 60_000;
const FINISH_MS = 60_000;

/** What a restore depends on, looked at anew before each step. */
export interface ObservedRestore {
  readonly record: RestoreRecord;
  /** This machine's member, and all that the volumes name. */
  readonly member: string;
  readonly wanted: readonly string[];
  /** This machine acts for all of them. Two that both believe so are kept apart by the conditional writes. */
  readonly isLeader: boolean;
  /** For the record, which people read; nothing is decided by it. */
  readonly nowMs: number;
  /** How long this machine has seen the record in its phase, by its own monotonic clock. */
  readonly phaseForMs: number;
  /** The manifest is out of kubelet's sight, on behalf of this etcd cluster; the process may take a while to end. */
  readonly isHeld: boolean;
  readonly apiServerEnded: boolean;
  readonly etcdRuns: boolean;
  /** What the etcd here says; absent while it does not answer. */
  readonly etcd?: { readonly revision: number; readonly hasLeader: boolean };
  /** The restored data of this member is complete; data of other clusters lies beside it. */
  readonly hasData: boolean;
  /** It is being made now. */
  readonly isPreparing: boolean;
  /** The volume has room for it besides the etcd that still runs and the backup of that. */
  readonly hasRoom: boolean;
  readonly hasOldData: boolean;
  /** The token that the marker names. */
  readonly markerToken?: string;
  /** Why this machine gave up restoring. */
  readonly failure?: string;
}

/** What may be done to the etcd here by everybody else: all, all that keeps it running, or nothing: it must not run. */
export type EtcdGate = 'free' | 'keep' | 'stopped';

export type RestoreStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  | { readonly action: 'write'; readonly record: RestoreRecord }
  /** Write the record, with the revision to restore to where it can be known by now. */
  | { readonly action: 'begin'; readonly record: RestoreRecord }
  /** Restore the backup beside what is there; goes on while other steps are taken. */
  | { readonly action: 'restore' }
  | { readonly action: 'hold-api-server' | 'stop-etcd' | 'save' | 'switch-marker' | 'clean' }
  | { readonly action: 'release-api-server' | 'discard-data' | 'set-old-data-aside' }
);

/**
 * Decides this machine's next step of a restore. Invariants: no etcd stops before every API server has ended and what
 * was there is backed up (or cannot be); what is restored lies beside it, and the marker names the restored cluster only
 * once its members have their data; until then a failure leaves everything as it was; every step can be done again
 * after a crash.
 */
export function planRestore(observed: ObservedRestore): RestoreStep {
  const { record } = observed;
  if (record.phase === 'done' || record.phase === 'failed') return planEnd(observed);
  if (record.phase === 'gathering') return planGathering(observed);
  if (!record.members.includes(observed.member)) return planBystander(observed);
  // At a boot, nodeup writes the manifest again.
  if (record.phase !== 'finishing' && !observed.isHeld) return holdApiServer;
  const preparation = planPreparation(observed);
  if (preparation !== undefined) return preparation;
  switch (record.phase) {
    case 'stopping':
      return planStopping(observed);
    case 'saving':
      if (!observed.isLeader) return wait('wait for the leader to back up what is there');
      return { action: 'save', summary: 'back up what is there before anything is changed' };
    case 'restoring':
      return planRestoring(observed);
    case 'starting':
      return planStarting(observed);
    case 'finishing':
      return planFinishing(observed);
  }
}

/**
 * The backup is restored beside what is there while the API servers end and what is there is backed up, so that etcd is
 * away for no longer than it takes to start it.
 */
function planPreparation(observed: ObservedRestore): RestoreStep | undefined {
  const { record, hasData, isPreparing, failure } = observed;
  const { phase, backup, revision } = record;
  if (phase !== 'stopping' && phase !== 'saving' && phase !== 'restoring') return undefined;
  if (hasData || isPreparing || backup === undefined || revision === undefined) return undefined;
  // From the moment the marker names it, there is no way back: who has no data then joins empty.
  if (observed.markerToken === record.token) return undefined;
  // kops's marker names no token: the data of the cluster is known by being the only one.
  if (phase !== 'restoring' && observed.markerToken === undefined) return undefined;
  if (failure !== undefined) return fail(observed, `${observed.member}: ${failure}`);
  if (phase !== 'restoring' && !observed.hasRoom) return undefined;
  return { action: 'restore', summary: `restore ${backup} at revision ${revision}` };
}

const holdApiServer: RestoreStep = {
  action: 'hold-api-server',
  summary: 'stop the API server: nothing may be written while etcd goes back',
};

/** What others may do to the etcd here meanwhile. */
export function gateOf({ phase, members }: RestoreRecord, member: string): EtcdGate {
  switch (phase) {
    case 'gathering':
      return 'keep';
    case 'stopping':
    case 'saving':
      return members.includes(member) ? 'keep' : 'stopped';
    case 'restoring':
      return 'stopped';
    case 'starting':
    case 'finishing':
    case 'done':
    case 'failed':
      return 'free';
  }
}

/** The record in its next phase. */
export function enter(
  record: RestoreRecord,
  phase: RestorePhase,
  nowMs: number,
  more: Partial<RestoreRecord> = {},
): RestoreRecord {
  return { ...record, phase, since: new Date(nowMs).toISOString(), acknowledged: [], ...more };
}

function planGathering(observed: ObservedRestore): RestoreStep {
  const { record, member, wanted, nowMs } = observed;
  const present = record.acknowledged;
  if (!present.includes(member)) return acknowledge(observed, 'take part in the restore');
  if (!observed.isLeader) return wait('wait for the leader to begin');
  const isMost = present.length * 2 > wanted.length;
  const absent = wanted.filter((name) => !present.includes(name));
  const waitedMs = observed.phaseForMs;
  const begin = (why: string): RestoreStep => ({
    action: 'begin',
    record: enter(record, 'stopping', nowMs, { members: present.toSorted() }),
    summary: `begin with ${present.toSorted().join(', ')}: ${why}`,
  });
  if (absent.length === 0) return begin('all are there');
  if (waitedMs < GATHER_MS) return wait(`wait for ${absent.join(', ')} to take part`);
  if (isMost) return begin(`${absent.join(', ')} did not answer and will join empty`);
  if (observed.etcd?.hasLeader !== true) return begin(`etcd has no quorum, and ${absent.join(', ')} did not answer`);
  if (waitedMs < GATHER_MOST_MS) return wait(`wait for most members to take part: etcd has a quorum without us`);
  return fail(
    observed,
    `etcd serves, but the managers of ${absent.join(', ')} did not answer; start them and ask again`,
  );
}

function planStopping(observed: ObservedRestore): RestoreStep {
  const { record, member, etcd, nowMs } = observed;
  if (!observed.apiServerEnded) {
    const isLate = observed.phaseForMs > STOP_MS;
    if (isLate && observed.isLeader) return fail(observed, `the API server of ${member} does not end`);
    return wait('wait for the API server here to end');
  }
  if (!record.acknowledged.includes(member)) {
    const lastRevision = Math.max(record.lastRevision ?? 0, etcd?.revision ?? 0);
    const known = lastRevision > 0 ? { lastRevision } : {};
    return acknowledge(observed, 'the API server has ended', known);
  }
  const missing = unacknowledged(record);
  if (!observed.isLeader) return wait('wait for the leader to go on');
  if (missing.length === 0) {
    return {
      action: 'write',
      record: enter(record, 'saving', nowMs),
      summary: 'every API server has ended; back up what is there',
    };
  }
  if (observed.phaseForMs > STOP_MS) {
    return fail(observed, `it is not known whether the API server of ${missing.join(', ')} has ended`);
  }
  return wait(`wait for the API server of ${missing.join(', ')} to end`);
}

function planRestoring(observed: ObservedRestore): RestoreStep {
  const { record, member, isLeader, nowMs } = observed;
  const start: RestoreStep = {
    action: 'write',
    record: enter(record, 'starting', nowMs),
    summary: 'start etcd from what was restored',
  };
  // From the moment the marker names it, there is no way back but another restore.
  if (observed.markerToken === record.token) return isLeader ? start : wait('wait for the leader to go on');
  if (observed.etcdRuns) return { action: 'stop-etcd', summary: 'stop etcd: its data is about to be replaced' };
  if (!observed.hasData) return wait('wait for the backup to be restored here');
  if (!record.acknowledged.includes(member)) return acknowledge(observed, 'the data of this member is restored');
  if (!isLeader) return wait('wait for the leader to go on');
  const missing = unacknowledged(record);
  const isLate = observed.phaseForMs > RESTORE_MS;
  if (missing.length > 0 && !isLate) return wait(`wait for ${missing.join(', ')} to restore`);
  if (missing.length * 2 >= record.members.length) {
    return fail(observed, `${missing.join(', ')} did not restore in ${RESTORE_MS / 60_000} minutes`);
  }
  return { action: 'switch-marker', summary: `make the restored cluster ${record.token} the one that counts` };
}

function planStarting(observed: ObservedRestore): RestoreStep {
  const { record, member, etcd } = observed;
  // Only the restored cluster has come as far as its revision.
  const serves = etcd?.hasLeader === true && etcd.revision >= (record.revision ?? 0);
  if (!serves) return wait('wait for the restored etcd to serve');
  if (!record.acknowledged.includes(member)) return acknowledge(observed, 'the restored etcd serves');
  // A leader whose own etcd does not come up is not waited for.
  if (!observed.isLeader && observed.phaseForMs < 2 * START_MS) return wait('wait for the leader to go on');
  const missing = unacknowledged(record);
  if (missing.length > 0 && observed.phaseForMs < START_MS) return wait(`wait for the etcd of ${missing.join(', ')}`);
  return { action: 'clean', summary: 'remove what must not outlive a restore' };
}

function planFinishing(observed: ObservedRestore): RestoreStep {
  const { record, member } = observed;
  if (observed.isHeld) return { action: 'release-api-server', summary: 'let the API server start again' };
  if (!record.acknowledged.includes(member)) return acknowledge(observed, 'the API server may start again');
  if (!observed.isLeader && observed.phaseForMs < 2 * FINISH_MS) return wait('wait for the leader to end the restore');
  const missing = unacknowledged(record);
  if (missing.length > 0 && observed.phaseForMs < FINISH_MS) return wait(`wait for ${missing.join(', ')} to finish`);
  return { action: 'write', record: enter(record, 'done', observed.nowMs), summary: 'the restore is done' };
}

function planEnd(observed: ObservedRestore): RestoreStep {
  const { record } = observed;
  const isInForce = observed.markerToken === record.token;
  if (record.phase === 'failed' && observed.hasData && !isInForce) {
    return { action: 'discard-data', summary: `remove the data of the restore that failed: ${record.failure ?? ''}` };
  }
  if (observed.isHeld) return { action: 'release-api-server', summary: 'let the API server start again' };
  if (record.phase === 'done' && isInForce && observed.hasData && observed.hasOldData) {
    return { action: 'set-old-data-aside', summary: 'set the data from before the restore aside' };
  }
  return { action: 'nothing', summary: 'no restore is under way' };
}

/** A machine that came too late: what it has belongs to the cluster that is being replaced. */
function planBystander(observed: ObservedRestore): RestoreStep {
  const { phase } = observed.record;
  if (phase === 'starting' || phase === 'finishing') return wait('wait for the restore to end, then join');
  if (!observed.isHeld) return holdApiServer;
  if (observed.etcdRuns) return { action: 'stop-etcd', summary: 'stop etcd: the others are restoring without it' };
  return wait('wait for the others to restore');
}

function acknowledge(
  { record, member }: ObservedRestore,
  summary: string,
  more: Partial<RestoreRecord> = {},
): RestoreStep {
  const acknowledged = [...record.acknowledged, member];
  return { action: 'write', record: { ...record, acknowledged, ...more }, summary };
}

function fail({ record, nowMs }: ObservedRestore, why: string): RestoreStep {
  const failure = `${record.phase}: ${why}`;
  return {
    action: 'write',
    record: enter(record, 'failed', nowMs, { failure }),
    summary: `give the restore up, everything stays as it was: ${failure}`,
  };
}

function unacknowledged({ members, acknowledged }: RestoreRecord): readonly string[] {
  return members.filter((member) => !acknowledged.includes(member));
}

function wait(summary: string): RestoreStep {
  return { action: 'wait', summary };
}
