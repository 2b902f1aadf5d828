import { randomUUID } from 'node:crypto';
import { parseJson, printJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

/** In the folder of the etcd cluster: the change of members that a leader began last. */
const RECORD = 'control/change.json';

/** A member that a leader was about to remove, without an answer yet: etcd may have done so, or may still do so. */
export interface UnfinishedRemoval {
  /** etcd's member id, which is never used again. */
  readonly id: string;
  readonly member: string;
}

export interface StoredChange {
  /** The term of the leader that wrote the record last; undefined if there is none, or it is damaged. */
  readonly epoch: number | undefined;
  readonly removal?: UnfinishedRemoval;
  /** The version of the record; undefined if there is none. */
  readonly version: string | undefined;
}

export async function readChange(store: StateStore, backupPath: string, signal: AbortSignal): Promise<StoredChange> {
  const stored = await store.read(`${backupPath}/${RECORD}`, signal);
  const { epoch, removal } = asRecord(stored && parseJson(stored.bytes));
  const { id, member } = asRecord(removal);
  return {
    epoch: typeof epoch === 'number' ? epoch : undefined,
    ...(typeof id === 'string' && typeof member === 'string' && { removal: { id, member } }),
    version: stored?.version,
  };
}

/**
 * Replaces the record that was read. A leader does so when its term begins and before each change, so whatever an earlier
 * leader had decided and not yet recorded fails here, however late it comes.
 *
 * @param change what is about to be done, for people; `nothing` when a term begins
 * @throws ConflictError if the record has changed since it was read
 */
export async function writeChange(
  store: StateStore,
  backupPath: string,
  next: {
    readonly epoch: number;
    readonly process: string;
    readonly change: string;
    readonly removal?: UnfinishedRemoval | undefined;
  },
  read: StoredChange,
  signal: AbortSignal,
): Promise<StoredChange> {
  const condition = ifUnchanged(read.version);
  // Equal bytes have equal versions. With a new id, a version that was replaced never comes back.
  const bytes = Buffer.from(printJson({ ...next, id: randomUUID() }));
  const { version } = await store.write(`${backupPath}/${RECORD}`, bytes, condition, signal);
  const { epoch, removal } = next;
  return { epoch, ...(removal && { removal }), version };
}
