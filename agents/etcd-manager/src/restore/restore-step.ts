import type { ApiServerHold } from '@kopsctl/agent/api-server.ts';
import type { RestorePhase, RestoreRecord, StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';

/** What the next step of a restore depends on, observed again before each step. */
export interface ObservedRestore {
  readonly record: RestoreRecord;
  /** This machine's member. */
  readonly member: string;
  /** All members that the volume names. */
  readonly wanted: readonly string[];
  /** This machine leads. If two machines believe that they lead, the conditional writes keep them apart. */
  readonly isLeader: boolean;
  /** The wall clock. It is written to the record for people, and decides nothing. */
  readonly nowMs: number;
  /** How long this machine has seen the record in its phase, by its own monotonic clock. */
  readonly phaseForMs: number;
  /** Whether the API server of this machine is held for this etcd cluster. Its process may take a while to stop. */
  readonly apiServerHold: ApiServerHold;
  readonly apiServerEnded: boolean;
  /**
   * Addresses of all API servers that, by their leases in etcd, still run. The leader observes them once the API servers of
   * the members have stopped. Undefined if etcd serves but does not answer.
   */
  readonly runningApiServers: readonly string[] | undefined;
  /** How long this machine has seen each API server on a machine without etcd ending, by its own monotonic clock. By machine. */
  readonly endingForMs: Readonly<Record<string, number>>;
  readonly etcdRuns: boolean;
  /** What the local etcd answers; absent while it does not answer. */
  readonly etcd?: { readonly revision: number; readonly hasLeader: boolean; readonly leads: boolean };
  /** The etcd of another member sees a leader, though the local one does not. Observed by the leader in the phase `gathering`. */
  readonly othersServe: boolean;
  /** The data that the local etcd left when it stopped; observed while it does not run. */
  readonly stopped?: StoppedData;
  /** The restored data of this member is complete. */
  readonly hasData: boolean;
  /** This machine's long part of the phase, a restore or a backup, is under way. */
  readonly isPreparing: boolean;
  /** The backup is completely fetched. The rest of its restore takes about as long as etcd takes to stop. */
  readonly isFetched: boolean;
  /** The volume has room for the restore while etcd still runs. */
  readonly hasRoom: boolean;
  /** The volume has a folder for the restored cluster, which is created before its data, and before etcd starts with it. */
  readonly hasFolder: boolean;
  /** The volume holds data of other clusters. */
  readonly hasOldData: boolean;
  /** The token that the marker names. */
  readonly markerToken?: string;
  /** The name of the backup of `stopped`, made in the phase `keeping`, or in `saving` for data of etcd 2. */
  readonly kept?: string;
  /** Why this machine gave up its long part of the phase. */
  readonly failure?: string;
}

/** What other loops may do to the local etcd: anything; only keep it running as it is; nothing, because it must not run. */
export type EtcdGate = 'free' | 'keep' | 'stopped';

export type RestoreStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  | { readonly action: 'write'; readonly record: RestoreRecord }
  /** Write the record, adding the revision to restore to if it is known already. */
  | { readonly action: 'begin'; readonly record: RestoreRecord }
  /** Restore the backup beside the current data, in the background. */
  | { readonly action: 'restore' }
  /** Back up this data, which the local etcd left when it stopped, in the background. */
  | { readonly action: 'keep'; readonly data: StoppedData }
  | { readonly action: 'hold-api-server' | 'stop-etcd' | 'save' | 'switch-marker' | 'clean' }
  | { readonly action: 'release-api-server' | 'discard-data' | 'set-old-data-aside' }
);

export const releaseApiServer: RestoreStep = {
  action: 'release-api-server',
  summary: 'let the API server start again',
};

/** The record at the beginning of a phase. */
export function enter(
  record: RestoreRecord,
  phase: RestorePhase,
  nowMs: number,
  more: Partial<RestoreRecord> = {},
): RestoreRecord {
  return { ...record, phase, since: new Date(nowMs).toISOString(), acknowledged: [], ...more };
}

/** The step that ends the restore as failed. */
export function fail({ record, nowMs }: ObservedRestore, why: string): RestoreStep {
  const failure = `${record.phase}: ${why}`;
  return {
    action: 'write',
    record: enter(record, 'failed', nowMs, { failure }),
    summary: `give up the restore and change nothing: ${failure}`,
  };
}

/** The step that does nothing for now. */
export function wait(summary: string): RestoreStep {
  return { action: 'wait', summary };
}

/** The step that records that this member has done its part of the phase. */
export function acknowledge(
  { record, member }: ObservedRestore,
  summary: string,
  more: Partial<RestoreRecord> = {},
): RestoreStep {
  const acknowledged = [...record.acknowledged, member];
  return { action: 'write', record: { ...record, acknowledged, ...more }, summary };
}

/** The members that have not done their part of the phase yet. */
export function unacknowledged({ members, acknowledged }: RestoreRecord): readonly string[] {
  return members.filter((member) => !acknowledged.includes(member));
}

/** The last revision seen. It is asked of etcd, because a recently restored cluster is far beyond its newest backup. */
export function revisionSeen({ record, etcd, stopped }: ObservedRestore): Pick<RestoreRecord, 'lastRevision'> {
  const lastRevision = Math.max(record.lastRevision ?? 0, etcd?.revision ?? 0, stopped?.revision ?? 0);
  return lastRevision > 0 ? { lastRevision } : {};
}
