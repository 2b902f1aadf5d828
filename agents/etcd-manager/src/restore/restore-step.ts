import type { ApiServerHold } from '@kopsctl/agent/api-server.ts';
import type { RestorePhase, RestoreRecord, StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';

/** What a restore depends on, looked at anew before each step. */
export interface ObservedRestore {
  readonly record: RestoreRecord;
  /** This machine's member, and all that the volumes name. */
  readonly member: string;
  readonly wanted: readonly string[];
  /** This machine acts for all of them. Two that both believe so are kept apart by the conditional writes. */
  readonly isLeader: boolean;
  /** For the record, which people read; nothing is decided by it. */
  readonly nowMs: number;
  /** How long this machine has seen the record in its phase, by its own monotonic clock. */
  readonly phaseForMs: number;
  /** How the API server of this machine is held, on behalf of this etcd cluster; its process may take a while to end. */
  readonly apiServerHold: ApiServerHold;
  readonly apiServerEnded: boolean;
  /**
   * Addresses of the API servers that etcd knows to run, on whatever machines: looked at by the leader once those of the
   * members have ended. Undefined where etcd serves and does not tell.
   */
  readonly runningApiServers: readonly string[] | undefined;
  readonly etcdRuns: boolean;
  /** What the etcd here says; absent while it does not answer. */
  readonly etcd?: { readonly revision: number; readonly hasLeader: boolean; readonly leads: boolean };
  /** What the etcd here has left behind; looked at while it does not run. */
  readonly stopped?: StoppedData;
  /** The restored data of this member is complete; data of other clusters lies beside it. */
  readonly hasData: boolean;
  /** This machine's long part of the phase is being done now: restoring, or backing up what was there. */
  readonly isPreparing: boolean;
  /** The backup lies on the volume and is whole; what is left of restoring it takes about as long as etcd takes to end. */
  readonly isFetched: boolean;
  /** The volume has room for it besides the etcd that still runs. */
  readonly hasRoom: boolean;
  readonly hasOldData: boolean;
  /** The token that the marker names. */
  readonly markerToken?: string;
  /** The backup that was made of `stopped`, in the phase `keeping`, or `saving` where it is of etcd 2. */
  readonly kept?: string;
  /** Why this machine gave up its long part of the phase. */
  readonly failure?: string;
}

/** What may be done to the etcd here by everybody else: all, all that keeps it running, or nothing: it must not run. */
export type EtcdGate = 'free' | 'keep' | 'stopped';

export type RestoreStep = { readonly summary: string } & (
  | { readonly action: 'nothing' | 'wait' }
  | { readonly action: 'write'; readonly record: RestoreRecord }
  /** Write the record, with the revision to restore to where it can be known by now. */
  | { readonly action: 'begin'; readonly record: RestoreRecord }
  /** Restore the backup beside what is there; goes on while other steps are taken. */
  | { readonly action: 'restore' }
  /** Back up what the etcd here had when it stopped; goes on while other steps are taken. */
  | { readonly action: 'keep' }
  | { readonly action: 'hold-api-server' | 'stop-etcd' | 'save' | 'switch-marker' | 'clean' }
  | { readonly action: 'release-api-server' | 'discard-data' | 'set-old-data-aside' }
);

export const releaseApiServer: RestoreStep = {
  action: 'release-api-server',
  summary: 'let the API server start again',
};

/** The record in its next phase. */
export function enter(
  record: RestoreRecord,
  phase: RestorePhase,
  nowMs: number,
  more: Partial<RestoreRecord> = {},
): RestoreRecord {
  return { ...record, phase, since: new Date(nowMs).toISOString(), acknowledged: [], ...more };
}

export function fail({ record, nowMs }: ObservedRestore, why: string): RestoreStep {
  const failure = `${record.phase}: ${why}`;
  return {
    action: 'write',
    record: enter(record, 'failed', nowMs, { failure }),
    summary: `give the restore up, everything stays as it was: ${failure}`,
  };
}

export function wait(summary: string): RestoreStep {
  return { action: 'wait', summary };
}

/** Says in the record that this member has done what the phase asks for. */
export function acknowledge(
  { record, member }: ObservedRestore,
  summary: string,
  more: Partial<RestoreRecord> = {},
): RestoreStep {
  const acknowledged = [...record.acknowledged, member];
  return { action: 'write', record: { ...record, acknowledged, ...more }, summary };
}

export function unacknowledged({ members, acknowledged }: RestoreRecord): readonly string[] {
  return members.filter((member) => !acknowledged.includes(member));
}

/** A cluster that was restored a moment ago is far beyond its newest backup: only its etcds know. */
export function revisionSeen({ record, etcd, stopped }: ObservedRestore): Pick<RestoreRecord, 'lastRevision'> {
  const lastRevision = Math.max(record.lastRevision ?? 0, etcd?.revision ?? 0, stopped?.revision ?? 0);
  return lastRevision > 0 ? { lastRevision } : {};
}
