import { holdersOfEtcd2, keeperOf } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { planKeeper, SILENT_MS } from './plan-keeping.ts';
import { enter, fail, wait, type ObservedRestore, type RestoreStep } from './restore-step.ts';

/** The logs of most members are known: the furthest of them has every write that a client was told of. */
export function hasMostLogs(record: RestoreRecord, members: readonly string[]): boolean {
  const holders = holdersOfEtcd2(record).filter((member) => members.includes(member));
  return holders.length * 2 > members.length;
}

/**
 * The phase `saving` where what is there is of etcd 2: whoever has come furthest backs its data up, and nobody in its
 * place, for the others may lack what it has. Nothing was changed before.
 */
export function planSavingEtcd2(observed: ObservedRestore): RestoreStep {
  const { record, member, kept, failure, nowMs } = observed;
  if (kept !== undefined) {
    return {
      action: 'begin',
      record: enter(record, 'restoring', nowMs, { backup: kept, safetyBackup: kept }),
      summary: `all that was there is in ${kept}: restore it`,
    };
  }
  const saver = keeperOf(record);
  if (saver === member) return failure === undefined ? planKeeper(observed) : fail(observed, `${member}: ${failure}`);
  const patienceMs = observed.isLeader ? SILENT_MS : 2 * SILENT_MS;
  if (observed.phaseForMs < patienceMs) return wait(`wait for ${saver ?? '?'} to back up the data of etcd 2`);
  return fail(
    observed,
    `nothing was heard of ${saver ?? '?'}, whose log goes furthest, for ${SILENT_MS / 60_000} minutes`,
  );
}
