import { dataLeftBy } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { STUCK_MS, type RestoreRecord, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';

/** Since when this machine has seen a restore stand where it stands, by its own monotonic clock. */
export interface StuckMemory {
  stage: string;
  sinceMs: number;
}

export function stuckMemory(): StuckMemory {
  return { stage: '', sinceMs: 0 };
}

/**
 * Whether the restored etcd does not come to serve, because too many members were lost while it started. Nothing but another
 * restore leads on from there. It does no harm to take a restore for stuck that only takes long: its API servers are stopped,
 * and the record can be replaced only while it is in this phase.
 */
export function isStuck({ record }: StoredRecord, memory: StuckMemory, nowMs: number): boolean {
  const stage = `${record.token} ${record.phase} ${record.acknowledged.join()}`;
  if (memory.stage !== stage) [memory.stage, memory.sinceMs] = [stage, nowMs];
  return record.phase === 'starting' && nowMs - memory.sinceMs > STUCK_MS;
}

/**
 * The record of a stuck restore as the restore that takes its place finds it: failed, but its cluster is the one that counts,
 * and what was there before it is still to be backed up.
 */
export function givenUp(record: RestoreRecord): RestoreRecord {
  const carriedOver = dataLeftBy(record);
  return {
    ...record,
    phase: 'failed',
    inForce: record.token,
    ...(carriedOver && { carriedOver }),
    failure: `starting: too few of ${record.members.join(', ')} came to serve, and another restore has taken its place`,
  };
}
