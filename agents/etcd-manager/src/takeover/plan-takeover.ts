import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import { hasEnded, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

/** A gathering that found too few members has changed nothing. Meanwhile a person can ask for a restore instead. */
const GATHER_AGAIN_MS = 10 * 60_000;

/** What the leader sees whose own volume holds data of etcd 2 of the cluster. */
export interface ObservedTakeover {
  readonly etcdCluster: string;
  /** By the spec. */
  readonly etcdVersion: string;
  /** Who the volume names. */
  readonly members: readonly string[];
  /** Of those the ones whose managers are there and say that their data is of etcd 2, this one among them. */
  readonly holders: readonly string[];
  /** Of the holders those whose machines lack the version. */
  readonly unprepared: readonly string[];
  readonly last?: Pick<RestoreRecord, 'takesOverEtcd2' | 'phase' | 'failure' | 'safetyBackup'>;
  /** How long this machine has seen `last`, by its own monotonic clock. */
  readonly lastForMs: number;
}

export type TakeoverStep = { readonly summary: string } & (
  { readonly action: 'nothing' | 'wait' | 'begin' } | { readonly action: 'refuse'; readonly next: string }
);

/**
 * Decides whether the leader begins to take data of etcd 2 over, which is a restore of what is there. It begins once most
 * members can take part, for only they together have every acknowledged write; what has failed beyond that is a person's.
 */
export function planTakeover(observed: ObservedTakeover): TakeoverStep {
  const { etcdVersion, members, holders, unprepared, last } = observed;
  // planCluster says what to do.
  if (!canMigrateEtcd2(etcdVersion)) return { action: 'nothing', summary: `etcd ${etcdVersion} cannot take it over` };
  if (last !== undefined && !hasEnded(last)) return { action: 'nothing', summary: 'a restore is under way' };
  if (last?.takesOverEtcd2 === true && last.phase === 'failed') {
    const { failure = 'it failed' } = last;
    const isHarmless = failure.startsWith('gathering:');
    if (!isHarmless) return refuse(failure, observed.etcdCluster, last.safetyBackup);
    if (observed.lastForMs < GATHER_AGAIN_MS) {
      return { action: 'wait', summary: `wait before gathering anew: ${failure}` };
    }
  }
  if (holders.length * 2 <= members.length) {
    const summary = `wait for most of ${members.join(', ')} to show their data of etcd 2: only they together have every acknowledged write, and there is ${holders.join(', ')}`;
    return { action: 'wait', summary };
  }
  if (unprepared.length > 0) {
    return { action: 'wait', summary: `the machines of ${unprepared.join(', ')} have no etcd ${etcdVersion} yet` };
  }
  return { action: 'begin', summary: `take over the data of etcd 2 of ${holders.join(', ')} by backup and restore` };
}

function refuse(failure: string, etcdCluster: string, backup: string | undefined): TakeoverStep {
  return {
    action: 'refuse',
    summary: `taking over the data of etcd 2 has failed, and the data is as it was: ${failure}`,
    next:
      backup === undefined
        ? 'mend that, then remove control/restore.json of this etcd cluster from the store: it is tried again'
        : `mend that, then \`kopsctl etcd restore-backup ${backup} --etcd-cluster ${etcdCluster} --yes\`: all that was there is in it`,
  };
}
