import { hasDataToKeep } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { hasEnded, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { planKeeping } from './plan-keeping.ts';
import { planSavingEtcd2, planWithoutLogs } from './plan-etcd2.ts';
import { planStopping, waitForEnding } from './plan-stopping.ts';
import {
  acknowledge,
  enter,
  fail,
  releaseApiServer,
  revisionSeen,
  unacknowledged,
  wait,
  type EtcdGate,
  type ObservedRestore,
  type RestoreStep,
} from './restore-step.ts';

/** Managers look at the record every few seconds. One that has not answered after this is down. */
const GATHER_MS = 30_000;
/** If etcd has a quorum, the other managers may only be cut off from the store. Longer than a manager takes to restart. */
const GATHER_MOST_MS = 2 * 60_000;
/** A download at 1 MiB/s of etcd's default quota of 2 GiB takes 34 minutes. */
const RESTORE_MS = 45 * 60_000;
/** etcd keeps running while the backup is fetched, but stops long before the others go on without this member. */
const RUNS_ON_MS = 10 * 60_000;
/** etcd starts from restored data within seconds. A machine that died meanwhile is replaced like any other. */
const START_MS = 3 * 60_000;
const FINISH_MS = 60_000;
/** Those that take part go on or give up by themselves well within this time, if any of them is left. */
const FORSAKEN_MS = 2 * RESTORE_MS;
/** Two small writes. Longer than a lease takes to run out. */
const SWITCH_MS = 60_000;

/**
 * Decides this machine's next step of a restore.
 *
 * Invariants:
 * - No etcd stops before every API server has stopped.
 * - The restored data is written beside the old data, and the marker names the restored cluster only once its members have
 *   their data. Until the record says `switching`, a failure changes nothing; from then on there is no failure, and the
 *   marker follows the record. So a machine that was paused cannot switch over to a restore that was given up.
 * - The old data is not touched until it is backed up or cannot be backed up.
 * - Every step can be repeated after a crash.
 */
export function planRestore(observed: ObservedRestore): RestoreStep {
  const { record } = observed;
  if (record.phase === 'done' || record.phase === 'failed') return planEnd(observed);
  if (record.phase === 'gathering') return planGathering(observed);
  if (!record.members.includes(observed.member)) return planBystander(observed);
  if (record.phase === 'keeping') return planKeeping(observed);
  // nodeup writes the manifest again at every boot.
  if (record.phase !== 'finishing' && observed.apiServerHold !== 'held') return holdApiServer;
  const preparation = planPreparation(observed);
  if (preparation !== undefined) return preparation;
  switch (record.phase) {
    case 'stopping':
      return planStopping(observed);
    case 'saving':
      if (record.takesOverEtcd2) return planSavingEtcd2(observed);
      if (!observed.isLeader) return wait('wait for the leader to back up the current data');
      return { action: 'save', summary: 'back up the current data before anything is changed' };
    case 'restoring':
      return planRestoring(observed);
    case 'switching':
      return planSwitching(observed);
    case 'starting':
      return planStarting(observed);
    case 'finishing':
      return planFinishing(observed);
  }
}

/**
 * The backup is restored beside the current data while the API servers stop and etcd still runs, so that etcd is away for
 * little longer than it takes to start.
 */
function planPreparation(observed: ObservedRestore): RestoreStep | undefined {
  const { record, hasData, isPreparing, failure } = observed;
  const { phase, backup, revision } = record;
  if (phase !== 'stopping' && phase !== 'saving' && phase !== 'restoring') return undefined;
  if (hasData || isPreparing || backup === undefined || revision === undefined) return undefined;
  // Once the marker names the restored cluster there is no way back, and a member without data joins empty.
  if (observed.markerToken === record.token) return undefined;
  // A marker of kops names no token: the data of the cluster is recognized because it is the only data.
  if (phase !== 'restoring' && observed.markerToken === undefined) return undefined;
  if (failure !== undefined) return fail(observed, `${observed.member}: ${failure}`);
  if (observed.etcdRuns && !observed.hasRoom) return undefined;
  return { action: 'restore', summary: `restore ${backup} at revision ${revision}` };
}

const holdApiServer: RestoreStep = {
  action: 'hold-api-server',
  summary: 'stop the API server: nothing may be written during a restore',
};

/** What other loops may do to the local etcd during a restore. */
export function gateOf({ phase, members }: RestoreRecord, member: string): EtcdGate {
  switch (phase) {
    case 'gathering':
      return 'keep';
    case 'stopping':
    case 'saving':
      return members.includes(member) ? 'keep' : 'stopped';
    case 'restoring':
    case 'switching':
      return 'stopped';
    case 'starting':
    case 'finishing':
    case 'keeping':
    case 'done':
    case 'failed':
      return 'free';
  }
}

/** Whether the restore goes on without this machine, which came too late. A machine that takes part has to lead it. */
export function isBystanderOf(record: RestoreRecord, member: string): boolean {
  return record.phase !== 'gathering' && !hasEnded(record) && !record.members.includes(member);
}

function planGathering(observed: ObservedRestore): RestoreStep {
  const { record, member, wanted, nowMs } = observed;
  const present = record.acknowledged;
  if (!present.includes(member)) return acknowledge(observed, 'take part in the restore', seenHere(observed));
  if (!observed.isLeader) return wait('wait for the leader to begin');
  const isMost = present.length * 2 > wanted.length;
  const absent = wanted.filter((name) => !present.includes(name));
  const waitedMs = observed.phaseForMs;
  const begin = (why: string): RestoreStep => ({
    action: 'begin',
    record: enter(record, 'stopping', nowMs, { members: present.toSorted() }),
    summary: `begin with ${present.toSorted().join(', ')}: ${why}`,
  });
  const obstacle = record.takesOverEtcd2 ? planWithoutLogs(observed) : undefined;
  if (obstacle !== undefined) return obstacle;
  if (absent.length === 0) return begin('all members take part');
  if (waitedMs < GATHER_MS) return wait(`wait for ${absent.join(', ')} to take part`);
  if (isMost) return begin(`${absent.join(', ')} did not answer and will join without data`);
  const isServed = observed.etcd?.hasLeader === true || observed.othersServe;
  if (!isServed) return begin(`etcd has no quorum, and ${absent.join(', ')} did not answer`);
  if (waitedMs < GATHER_MOST_MS) return wait('wait for a majority of the members to take part: etcd has a quorum');
  return fail(
    observed,
    `etcd serves, but the managers of ${absent.join(', ')} did not answer; start them and repeat the command`,
  );
}

/** What this member reports when it takes part: its revision, or the position of its etcd 2 log. */
function seenHere(observed: ObservedRestore): Partial<RestoreRecord> {
  const { record, member, stopped } = observed;
  const isEtcd2 = stopped?.etcd2 !== undefined;
  return { ...revisionSeen(observed), ...(isEtcd2 && { stopped: { ...record.stopped, [member]: stopped } }) };
}

function planRestoring(observed: ObservedRestore): RestoreStep {
  const { record, member, isLeader, nowMs } = observed;
  const switchOver: RestoreStep = {
    action: 'write',
    record: enter(record, 'switching', nowMs),
    summary: 'the restored data is there: from here on the restored cluster counts',
  };
  // A manager of an earlier version has switched over in this phase. Only another restore leads back.
  if (observed.markerToken === record.token) return isLeader ? switchOver : wait('wait for the leader to go on');
  if (observed.etcdRuns) {
    const mayRunOn = observed.isPreparing && !observed.isFetched && observed.phaseForMs < RUNS_ON_MS;
    if (mayRunOn) return wait('wait for the backup to be fetched, while etcd keeps running');
    if (isWaitedFor(observed)) return wait('the local etcd leads: let the others stop first');
    return { action: 'stop-etcd', summary: 'stop etcd: its data is about to be replaced' };
  }
  if (!observed.hasData) return wait('wait for the backup to be restored here');
  if (!record.acknowledged.includes(member)) return acknowledgeRestored(observed);
  if (!isLeader) return wait('wait for the leader to go on');
  const missing = unacknowledged(record);
  const isLate = observed.phaseForMs > RESTORE_MS;
  if (missing.length > 0 && !isLate) return wait(`wait for ${missing.join(', ')} to restore`);
  if (missing.length * 2 >= record.members.length) {
    return fail(observed, `${missing.join(', ')} did not restore in ${RESTORE_MS / 60_000} minutes`);
  }
  // An API server may still have been starting when the others stopped.
  const ending = waitForEnding(observed);
  if (ending !== undefined) return ending;
  return switchOver;
}

/** The record stays in this phase until the marker names the restored cluster, and no etcd runs meanwhile. */
function planSwitching({ record, markerToken, isLeader, phaseForMs, nowMs }: ObservedRestore): RestoreStep {
  // The others do not wait for a leader that is gone: every machine that writes the marker writes the same.
  if (!isLeader && phaseForMs < SWITCH_MS) return wait('wait for the leader to go on');
  if (markerToken !== record.token) {
    return { action: 'switch-marker', summary: `switch over to the restored cluster ${record.token}` };
  }
  return { action: 'write', record: enter(record, 'starting', nowMs), summary: 'start etcd from the restored data' };
}

/**
 * Whether the local etcd should wait before it stops. A leader hands over before it stops, and if its chosen successor stops
 * at the same moment, it waits for seven seconds. So a leader stops after the others, which do not wait for it.
 */
function isWaitedFor({ record, member, etcd, hasData, isFetched, phaseForMs }: ObservedRestore): boolean {
  const others = unacknowledged(record).filter((name) => name !== member);
  return (hasData || isFetched) && etcd?.leads === true && others.length > 0 && phaseForMs < RUNS_ON_MS;
}

/** Reports the restored data, together with the old data, so that the old data can be backed up later. */
function acknowledgeRestored(observed: ObservedRestore): RestoreStep {
  const { record, member, stopped } = observed;
  if (stopped === undefined) return acknowledge(observed, 'the data of this member is restored');
  const { revision = Number.POSITIVE_INFINITY } = record;
  if (stopped.revision >= revision) {
    return fail(
      observed,
      `etcd is at revision ${stopped.revision}, beyond the revision ${revision} to which members restore`,
    );
  }
  const more = { stopped: { ...record.stopped, [member]: stopped } };
  return acknowledge(
    observed,
    `the data of this member is restored; etcd had reached revision ${stopped.revision}`,
    more,
  );
}

function planStarting(observed: ObservedRestore): RestoreStep {
  const { record, member, etcd } = observed;
  // Only the restored cluster has reached this revision.
  const serves = etcd?.hasLeader === true && etcd.revision >= (record.revision ?? 0);
  if (!serves) return wait('wait for the restored etcd to serve');
  if (!record.acknowledged.includes(member)) return acknowledge(observed, 'the restored etcd serves');
  // The others do not wait for a leader whose own etcd does not start.
  if (!observed.isLeader && observed.phaseForMs < 2 * START_MS) return wait('wait for the leader to go on');
  const missing = unacknowledged(record);
  if (missing.length > 0 && observed.phaseForMs < START_MS) return wait(`wait for the etcd of ${missing.join(', ')}`);
  return { action: 'clean', summary: 'remove keys that must not survive a restore' };
}

function planFinishing(observed: ObservedRestore): RestoreStep {
  const { record, member } = observed;
  if (observed.apiServerHold !== 'none') return releaseApiServer;
  if (!record.acknowledged.includes(member)) return acknowledge(observed, 'the API server may start again');
  if (!observed.isLeader && observed.phaseForMs < 2 * FINISH_MS) return wait('wait for the leader to end the restore');
  const missing = unacknowledged(record);
  if (missing.length > 0 && observed.phaseForMs < FINISH_MS) return wait(`wait for ${missing.join(', ')} to finish`);
  if (hasDataToKeep(record)) {
    const summary = 'the restored cluster serves; back up the data from before';
    return { action: 'write', record: enter(record, 'keeping', observed.nowMs), summary };
  }
  return { action: 'write', record: enter(record, 'done', observed.nowMs), summary: 'the restore is done' };
}

function planEnd(observed: ObservedRestore): RestoreStep {
  const { record } = observed;
  const isInForce = observed.markerToken === record.token;
  if (record.phase === 'failed' && observed.hasData && !isInForce) {
    return { action: 'discard-data', summary: `remove the data of the failed restore: ${record.failure ?? ''}` };
  }
  if (observed.apiServerHold !== 'none') return releaseApiServer;
  if (record.phase === 'done' && isInForce && runsReplaced(observed)) return stopReplaced;
  if (record.phase === 'done' && isInForce && observed.hasData && observed.hasOldData) {
    return { action: 'set-old-data-aside', summary: 'set the data from before the restore aside' };
  }
  return { action: 'nothing', summary: 'no restore is under way' };
}

/** An etcd that has only just begun to join the restored cluster has no data of it yet, but a folder. */
function runsReplaced({ etcdRuns, hasFolder, hasOldData }: ObservedRestore): boolean {
  return etcdRuns && hasOldData && !hasFolder;
}

/** This etcd may have a quorum by itself: two clusters would serve. */
const stopReplaced: RestoreStep = {
  action: 'stop-etcd',
  summary: 'stop etcd: it runs with the data that the restore has replaced',
};

/** The steps of a machine that came too late: its data belongs to the cluster that is being replaced. */
function planBystander(observed: ObservedRestore): RestoreStep {
  const { phase } = observed.record;
  if (phase === 'keeping' && observed.apiServerHold !== 'none') return releaseApiServer;
  const hasSwitched = phase === 'starting' || phase === 'finishing' || phase === 'keeping';
  if (hasSwitched && runsReplaced(observed)) return stopReplaced;
  if (phase === 'keeping') return wait('wait for the restore to end');
  if (phase === 'starting' || phase === 'finishing') return wait('wait for the restore to end, then join');
  if (isForsaken(observed)) {
    const minutes = FORSAKEN_MS / 60_000;
    return fail(observed, `${observed.record.members.join(', ')} did not go on with the restore in ${minutes} minutes`);
  }
  if (observed.apiServerHold !== 'held') return holdApiServer;
  if (observed.etcdRuns) return { action: 'stop-etcd', summary: 'stop etcd: the others restore without it' };
  return wait('wait for the others to restore');
}

/**
 * Whether all machines that take part are gone, so that nobody would ever end the restore, and nothing has been replaced yet. If
 * one of them is only slow or paused, it finds that the record has changed, and cannot switch over any more.
 */
function isForsaken({ record, markerToken, phaseForMs }: ObservedRestore): boolean {
  const mayFail = record.phase !== 'switching' && markerToken !== record.token;
  return mayFail && phaseForMs > FORSAKEN_MS;
}
