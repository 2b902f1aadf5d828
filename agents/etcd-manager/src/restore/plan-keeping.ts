import { keeperOf } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { enter, releaseApiServer, wait, type ObservedRestore, type RestoreStep } from './restore-step.ts';

/** Others learn that the keeper is at it by its beat; the clock of a phase begins anew with each. */
const BEAT_MS = 30_000;
/** Long enough for a manager to be restarted and for some beats; until somebody else has done it nothing is lost. */
export const SILENT_MS = 2 * 60_000;

/**
 * The restored cluster serves, and what was there before lies on the volumes of those whose etcd was stopped. One of
 * them, the keeper, makes a backup of it; where it cannot, or falls silent, the next one does.
 */
export function planKeeping(observed: ObservedRestore): RestoreStep {
  const { record, member, kept, failure, nowMs } = observed;
  // Whoever has made one, also a keeper that was taken for silent.
  if (kept !== undefined) {
    return {
      action: 'write',
      record: enter(record, 'done', nowMs, { safetyBackup: kept }),
      summary: `the restore is done; what was there before is in ${kept}`,
    };
  }
  if (observed.apiServerHold !== 'none') return releaseApiServer;
  const keeper = keeperOf(record);
  if (keeper === member) return failure === undefined ? planKeeper(observed) : passOver(observed, member, failure);
  // A leader that is gone is not waited for either.
  const patienceMs = observed.isLeader ? SILENT_MS : 2 * SILENT_MS;
  if (keeper !== undefined) {
    if (observed.phaseForMs < patienceMs) return wait(`wait for ${keeper} to back up what was there before`);
    return passOver(observed, keeper, `nothing was heard of it for ${SILENT_MS / 60_000} minutes`);
  }
  if (!observed.isLeader && observed.phaseForMs < patienceMs) return wait('wait for the leader to end the restore');
  const withoutSafetyBackup = reasonsOf(record);
  return {
    action: 'write',
    record: enter(record, 'done', nowMs, { withoutSafetyBackup }),
    summary: `the restore is done; what was there before could not be backed up: ${withoutSafetyBackup}`,
  };
}

/** The turn of whoever backs up what lies on its volume. */
export function planKeeper(observed: ObservedRestore): RestoreStep {
  const { record, member } = observed;
  if (!observed.isPreparing) {
    const { revision = 0, etcd2 } = record.stopped?.[member] ?? {};
    const at =
      etcd2 === undefined ? `at revision ${revision}` : `term ${etcd2.term} and index ${etcd2.index} of etcd 2`;
    return { action: 'keep', summary: `back up what etcd had when it stopped, ${at}` };
  }
  if (observed.phaseForMs < BEAT_MS) return wait('wait for the backup of what was there before');
  const keeperBeat = (record.keeperBeat ?? 0) + 1;
  return {
    action: 'write',
    record: { ...record, keeperBeat },
    summary: 'still at the backup of what was there before',
  };
}

/** The next one has its turn. */
function passOver({ record }: ObservedRestore, keeper: string, why: string): RestoreStep {
  const notKept = { ...record.notKept, [keeper]: why };
  return {
    action: 'write',
    record: { ...record, notKept },
    summary: `do not wait for the backup of what ${keeper} had: ${why}`,
  };
}

function reasonsOf({ notKept = {} }: RestoreRecord): string {
  const reasons = Object.entries(notKept).map(([member, why]) => `${member}: ${why}`);
  return reasons.length === 0 ? 'no member had data from before' : reasons.join('; ');
}
