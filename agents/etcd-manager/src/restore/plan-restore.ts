import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
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

/** Managers look at the record every few seconds; one that has not answered after this is not there. */
const GATHER_MS = 30_000;
/** Where etcd has a quorum, most managers are only out of reach of the store: longer than it takes to restart one. */
const GATHER_MOST_MS = 2 * 60_000;
/** A download at 1 MiB/s of etcd's default quota of 2 GiB takes 34 minutes. */
const RESTORE_MS = 45 * 60_000;
/** While the backup is being fetched, etcd runs on; well before the others would go on without this member, it ends. */
const RUNS_ON_MS = 10 * 60_000;
/** etcd replays what it restored within seconds; a machine that died meanwhile is replaced like any other. */
const START_MS = 3 * 60_000;
const FINISH_MS = 60_000;

/**
 * Decides this machine's next step of a restore. Invariants: no etcd stops before every API server has ended; what is
 * restored lies beside what was there, and the marker names the restored cluster only once its members have their data;
 * until then a failure leaves everything as it was; what was there is touched only once it is backed up (or cannot be);
 * every step can be done again after a crash.
 */
export function planRestore(observed: ObservedRestore): RestoreStep {
  const { record } = observed;
  if (record.phase === 'done' || record.phase === 'failed') return planEnd(observed);
  if (record.phase === 'gathering') return planGathering(observed);
  if (!record.members.includes(observed.member)) return planBystander(observed);
  if (record.phase === 'keeping') return planKeeping(observed);
  // At a boot, nodeup writes the manifest again.
  if (record.phase !== 'finishing' && observed.apiServerHold !== 'held') return holdApiServer;
  const preparation = planPreparation(observed);
  if (preparation !== undefined) return preparation;
  switch (record.phase) {
    case 'stopping':
      return planStopping(observed);
    case 'saving':
      if (record.takesOverEtcd2) return planSavingEtcd2(observed);
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
 * The backup is restored beside what is there while the API servers end, and while etcd runs on or ends, so that etcd is
 * away for little more than it takes to start it.
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
  if (observed.etcdRuns && !observed.hasRoom) return undefined;
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
    case 'keeping':
    case 'done':
    case 'failed':
      return 'free';
  }
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

/** What this member's etcd has come to, or its log of etcd 2, which nobody writes to any more. */
function seenHere(observed: ObservedRestore): Partial<RestoreRecord> {
  const { record, member, stopped } = observed;
  const isEtcd2 = stopped?.etcd2 !== undefined;
  return { ...revisionSeen(observed), ...(isEtcd2 && { stopped: { ...record.stopped, [member]: stopped } }) };
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
  if (observed.etcdRuns) {
    const mayRunOn = observed.isPreparing && !observed.isFetched && observed.phaseForMs < RUNS_ON_MS;
    if (mayRunOn) return wait('wait for the backup to be fetched, while etcd runs on');
    if (isWaitedFor(observed)) return wait('etcd leads here: let the others end first');
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
  // One that was only starting when the others ended.
  const ending = waitForEnding(observed);
  if (ending !== undefined) return ending;
  return { action: 'switch-marker', summary: `make the restored cluster ${record.token} the one that counts` };
}

/**
 * An etcd that leads hands over before it ends; where whom it has chosen ends in the same moment, it waits for seven
 * seconds. So it ends when the others have, which are not waiting for it.
 */
function isWaitedFor({ record, member, etcd, hasData, isFetched, phaseForMs }: ObservedRestore): boolean {
  const others = unacknowledged(record).filter((name) => name !== member);
  return (hasData || isFetched) && etcd?.leads === true && others.length > 0 && phaseForMs < RUNS_ON_MS;
}

/** Together with what the etcd here has left behind: with this its backup is found again, whoever makes it. */
function acknowledgeRestored(observed: ObservedRestore): RestoreStep {
  const { record, member, stopped } = observed;
  if (stopped === undefined) return acknowledge(observed, 'the data of this member is restored');
  const { revision = Number.POSITIVE_INFINITY } = record;
  if (stopped.revision >= revision) {
    return fail(observed, `etcd is at revision ${stopped.revision}, beyond ${revision}, to which members restore`);
  }
  const more = { stopped: { ...record.stopped, [member]: stopped } };
  return acknowledge(observed, `the data of this member is restored; etcd had come to ${stopped.revision}`, more);
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
  if (observed.apiServerHold !== 'none') return releaseApiServer;
  if (!record.acknowledged.includes(member)) return acknowledge(observed, 'the API server may start again');
  if (!observed.isLeader && observed.phaseForMs < 2 * FINISH_MS) return wait('wait for the leader to end the restore');
  const missing = unacknowledged(record);
  if (missing.length > 0 && observed.phaseForMs < FINISH_MS) return wait(`wait for ${missing.join(', ')} to finish`);
  // `saving` may have done it, or found that it cannot be done.
  if (record.safetyBackup === undefined && record.withoutSafetyBackup === undefined) {
    const summary = 'the restored cluster serves; back up what was there before';
    return { action: 'write', record: enter(record, 'keeping', observed.nowMs), summary };
  }
  return { action: 'write', record: enter(record, 'done', observed.nowMs), summary: 'the restore is done' };
}

function planEnd(observed: ObservedRestore): RestoreStep {
  const { record } = observed;
  const isInForce = observed.markerToken === record.token;
  if (record.phase === 'failed' && observed.hasData && !isInForce) {
    return { action: 'discard-data', summary: `remove the data of the restore that failed: ${record.failure ?? ''}` };
  }
  if (observed.apiServerHold !== 'none') return releaseApiServer;
  if (record.phase === 'done' && isInForce && observed.hasData && observed.hasOldData) {
    return { action: 'set-old-data-aside', summary: 'set the data from before the restore aside' };
  }
  return { action: 'nothing', summary: 'no restore is under way' };
}

/** A machine that came too late: what it has belongs to the cluster that is being replaced. */
function planBystander(observed: ObservedRestore): RestoreStep {
  const { phase } = observed.record;
  if (phase === 'keeping' && observed.apiServerHold !== 'none') return releaseApiServer;
  if (phase === 'keeping') return wait('wait for the restore to end');
  if (phase === 'starting' || phase === 'finishing') return wait('wait for the restore to end, then join');
  if (observed.apiServerHold !== 'held') return holdApiServer;
  if (observed.etcdRuns) return { action: 'stop-etcd', summary: 'stop etcd: the others are restoring without it' };
  return wait('wait for the others to restore');
}
