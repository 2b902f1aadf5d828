import { holdersOfEtcd2, keeperOf } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { planKeeper, SILENT_MS } from './plan-keeping.ts';
import { enter, fail, wait, type ObservedRestore, type RestoreStep } from './restore-step.ts';

/** Longer than it takes to restart a manager. */
const GATHER_MS = 2 * 60_000;

/**
 * Why the logs that were shown are not enough to begin with; undefined: of most members they are known, and the furthest
 * of those has every write that a client was told of. With less it never begins.
 */
export function planWithoutLogs(observed: ObservedRestore): RestoreStep | undefined {
  const { record, wanted, phaseForMs } = observed;
  const holders = holdersOfEtcd2(record).filter((member) => wanted.includes(member));
  const clusters = new Set(holders.map((member) => record.stopped?.[member]?.token));
  if (clusters.size > 1) {
    const found = holders.map((member) => `${record.stopped?.[member]?.token ?? '?'} on ${member}`).join(', ');
    return fail(
      observed,
      `the volumes hold data of different clusters: ${found}; move what is not wanted out of data/`,
    );
  }
  if (holders.length * 2 > wanted.length) return undefined;
  const shown = holders.length === 0 ? 'none' : `only ${holders.join(', ')}`;
  const why = `of ${wanted.join(', ')} ${shown} can show the log of etcd 2, and only most of them together have every acknowledged write`;
  return phaseForMs < GATHER_MS ? wait(`wait for more members: ${why}`) : fail(observed, why);
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
