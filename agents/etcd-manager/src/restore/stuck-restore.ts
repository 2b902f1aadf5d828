import { dataLeftBy } from '@kopsctl/state-store/etcd/restore-awaited.ts';
import { STUCK_MS, type RestoreRecord, type StoredRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { UnchangedTime } from '../unchanged-time.ts';

/**
 * Whether the restored etcd does not come to serve, because too many members were lost while it started. Nothing but another
 * restore leads on from there. It does no harm to take a restore for stuck that only takes long: its API servers are stopped,
 * and the record can be replaced only while it is in this phase.
 */
export function isStuck({ record }: StoredRecord, time: UnchangedTime, nowMs: number): boolean {
  const stoodMs = time.measure(`${record.token} ${record.phase} ${record.acknowledged.join()}`, nowMs);
  return record.phase === 'starting' && stoodMs > STUCK_MS;
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
