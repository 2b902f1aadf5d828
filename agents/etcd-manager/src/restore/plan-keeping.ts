import { nextToKeep } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import type { RestoreRecord, StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import { enter, releaseApiServer, wait, type ObservedRestore, type RestoreStep } from './restore-step.ts';

/** How often the keeper shows that it is working. Each beat restarts the time that others wait. */
const BEAT_MS = 30_000;
/** Long enough for a restart of the manager and for some beats. Waiting loses nothing. */
export const SILENT_MS = 2 * 60_000;

/**
 * The phase `keeping`: the restored cluster serves, and the data from before is on the volumes of the members that were
 * stopped. One of them, the keeper, backs it up. If it cannot, or falls silent, the next one does. What an earlier restore, which
 * was given up, has left is backed up first.
 */
export function planKeeping(observed: ObservedRestore): RestoreStep {
  const { record, member, kept, failure, nowMs } = observed;
  const next = nextToKeep(record);
  if (kept !== undefined && next?.isCarriedOver === true) {
    return {
      action: 'write',
      record: enter(record, 'keeping', nowMs, { carriedBackup: kept }),
      summary: `the data from before the restore that was given up is in the backup ${kept}`,
    };
  }
  // The backup counts even if the others have meanwhile given up waiting for this keeper.
  if (kept !== undefined) {
    return {
      action: 'write',
      record: enter(record, 'done', nowMs, { safetyBackup: kept }),
      summary: `the restore is done; the data from before is in the backup ${kept}`,
    };
  }
  if (observed.apiServerHold !== 'none') return releaseApiServer;
  const keeper = next?.keeper;
  if (next !== undefined && keeper === member) {
    return failure === undefined ? planKeeper(observed, next.data) : passOver(observed, member, failure);
  }
  // The others do not wait for a leader that is gone either.
  const patienceMs = observed.isLeader ? SILENT_MS : 2 * SILENT_MS;
  if (keeper !== undefined) {
    if (observed.phaseForMs < patienceMs) return wait(`wait for ${keeper} to back up the data from before`);
    return passOver(observed, keeper, `it has not reported for ${SILENT_MS / 60_000} minutes`);
  }
  if (!observed.isLeader && observed.phaseForMs < patienceMs) return wait('wait for the leader to end the restore');
  const { safetyBackup, notKept = {} } = record;
  if (safetyBackup !== undefined && Object.keys(notKept).length === 0) {
    return { action: 'write', record: enter(record, 'done', nowMs), summary: 'the restore is done' };
  }
  const withoutSafetyBackup = reasonsOf(record);
  const what =
    safetyBackup === undefined ? 'the data from before' : `what etcd wrote after the backup ${safetyBackup} was taken`;
  return {
    action: 'write',
    record: enter(record, 'done', nowMs, { withoutSafetyBackup }),
    summary: `the restore is done; ${what} could not be backed up: ${withoutSafetyBackup}`,
  };
}

/** The next step of the member that backs up the data on its volume. */
export function planKeeper(observed: ObservedRestore, data: StoppedData): RestoreStep {
  const { record } = observed;
  if (!observed.isPreparing) {
    const { revision, etcd2 } = data;
    const at =
      etcd2 === undefined ? `at revision ${revision}` : `term ${etcd2.term} and index ${etcd2.index} of etcd 2`;
    return { action: 'keep', data, summary: `back up the data that etcd had when it stopped, ${at}` };
  }
  if (observed.phaseForMs < BEAT_MS) return wait('wait for the backup of the data from before');
  const keeperBeat = (record.keeperBeat ?? 0) + 1;
  return {
    action: 'write',
    record: { ...record, keeperBeat },
    summary: 'the backup of the data from before is still under way',
  };
}

/** Gives up on a keeper, so that the next member takes its place. */
function passOver({ record }: ObservedRestore, keeper: string, why: string): RestoreStep {
  const notKept = { ...record.notKept, [keeper]: why };
  return {
    action: 'write',
    record: { ...record, notKept },
    summary: `give up waiting for the backup of the data of ${keeper}: ${why}`,
  };
}

function reasonsOf({ notKept = {} }: RestoreRecord): string {
  const reasons = Object.entries(notKept).map(([member, why]) => `${member}: ${why}`);
  return reasons.length === 0 ? 'no member had data from before' : reasons.join('; ');
}
