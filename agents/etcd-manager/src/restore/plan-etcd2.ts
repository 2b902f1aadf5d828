import { holdersOfEtcd2, keeperOf } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { planKeeper, SILENT_MS } from './plan-keeping.ts';
import { enter, fail, wait, type ObservedRestore, type RestoreStep } from './restore-step.ts';

/** Longer than a manager takes to restart. */
const GATHER_MS = 2 * 60_000;

/**
 * What to do while the reported logs are not enough to begin; undefined once a majority of the members has reported
 * theirs. The log that reaches furthest among a majority has every acknowledged write. With fewer the restore never begins.
 */
export function planWithoutLogs(observed: ObservedRestore): RestoreStep | undefined {
  const { record, wanted, phaseForMs } = observed;
  const holders = holdersOfEtcd2(record).filter((member) => wanted.includes(member));
  const clusters = new Set(holders.map((member) => record.stopped?.[member]?.token));
  if (clusters.size > 1) {
    const found = holders.map((member) => `${record.stopped?.[member]?.token ?? '?'} on ${member}`).join(', ');
    return fail(
      observed,
      `the volumes hold data of different clusters: ${found}; move the data that you do not want to keep out of data/`,
    );
  }
  if (holders.length * 2 > wanted.length) return undefined;
  const shown = holders.length === 0 ? 'none' : `only ${holders.join(', ')}`;
  const why = `of ${wanted.join(', ')}, ${shown} reported an etcd 2 log, and only a majority has every acknowledged write`;
  return phaseForMs < GATHER_MS ? wait(`wait for more members: ${why}`) : fail(observed, why);
}

/**
 * The phase `saving` for data of etcd 2: only the member whose log reaches furthest backs up its data, because the others
 * may lack writes. Nothing has been changed before this phase.
 */
export function planSavingEtcd2(observed: ObservedRestore): RestoreStep {
  const { record, member, kept, failure, nowMs } = observed;
  if (kept !== undefined) {
    return {
      action: 'begin',
      record: enter(record, 'restoring', nowMs, { backup: kept, safetyBackup: kept }),
      summary: `the backup ${kept} holds all of the data: restore it`,
    };
  }
  const saver = keeperOf(record);
  const data = record.stopped?.[member];
  if (saver === member && data !== undefined) {
    return failure === undefined ? planKeeper(observed, data) : fail(observed, `${member}: ${failure}`);
  }
  const patienceMs = observed.isLeader ? SILENT_MS : 2 * SILENT_MS;
  if (observed.phaseForMs < patienceMs) return wait(`wait for ${saver ?? '?'} to back up its etcd 2 data`);
  return fail(
    observed,
    `${saver ?? '?'}, whose log reaches furthest, has not reported for ${SILENT_MS / 60_000} minutes`,
  );
}
