import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import { hasEnded, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

/** How long to wait after an attempt that found too few members. Until the next one a person can ask for a restore instead. */
const GATHER_AGAIN_MS = 10 * 60_000;

/** What a leader observes if its own volume holds data of etcd 2. */
export interface ObservedTakeover {
  readonly etcdCluster: string;
  /** The version in the cluster spec. */
  readonly etcdVersion: string;
  /** The members that the volume names. */
  readonly members: readonly string[];
  /** Those of them with live managers that report data of etcd 2, this one included. */
  readonly holders: readonly string[];
  /** Those of the holders whose machines lack the version. */
  readonly unprepared: readonly string[];
  readonly last?: Pick<RestoreRecord, 'takesOverEtcd2' | 'phase' | 'failure' | 'safetyBackup'>;
  /** How long this machine has seen `last`, by its own monotonic clock. */
  readonly lastForMs: number;
}

export type TakeoverStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' | 'begin' }
  | { readonly action: 'refuse'; readonly next: string }
);

/**
 * Decides whether the leader begins to convert data of etcd 2, by a restore of a backup of it. It begins once a majority of
 * the members can take part, because only a majority has every acknowledged write. After any other failure than a missing
 * majority, a person decides.
 */
export function planTakeover(observed: ObservedTakeover): TakeoverStep {
  const { etcdVersion, members, holders, unprepared, last } = observed;
  // planCluster tells a person what to do.
  if (!canMigrateEtcd2(etcdVersion))
    return { action: 'nothing', summary: `etcd ${etcdVersion} cannot convert data of etcd 2` };
  if (last !== undefined && !hasEnded(last)) return { action: 'nothing', summary: 'a restore is under way' };
  if (last?.takesOverEtcd2 === true && last.phase === 'failed') {
    const { failure = 'it failed' } = last;
    const isHarmless = failure.startsWith('gathering:');
    if (!isHarmless) return refuse(failure, observed.etcdCluster, last.safetyBackup);
    if (observed.lastForMs < GATHER_AGAIN_MS) {
      return { action: 'wait', summary: `wait before the next attempt: ${failure}` };
    }
  }
  if (holders.length * 2 <= members.length) {
    const summary = `wait for a majority of ${members.join(', ')} to report their etcd 2 data, because only a majority has every acknowledged write; so far: ${holders.join(', ')}`;
    return { action: 'wait', summary };
  }
  if (unprepared.length > 0) {
    return { action: 'wait', summary: `wait for the machines of ${unprepared.join(', ')} to get etcd ${etcdVersion}` };
  }
  return { action: 'begin', summary: `convert the etcd 2 data of ${holders.join(', ')} by backup and restore` };
}

function refuse(failure: string, etcdCluster: string, backup: string | undefined): TakeoverStep {
  return {
    action: 'refuse',
    summary: `converting the etcd 2 data has failed and has not changed it: ${failure}`,
    next:
      backup === undefined
        ? 'fix the cause, then remove control/restore.json of this etcd cluster from the store, which starts another attempt'
        : `fix the cause, then run \`kopsctl etcd restore-backup ${backup} --etcd-cluster ${etcdCluster} --yes\`, which restores all of the data`,
  };
}
