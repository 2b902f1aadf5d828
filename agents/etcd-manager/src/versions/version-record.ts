import { parseJson, printJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';

/** The etcd version by member: the one that last served its data, or that the leader has allowed next. */
const RECORD = 'control/versions.json';

export type Versions = Readonly<Record<string, string>>;

export interface StoredVersions {
  readonly versions: Versions;
  /** The term of the leader that has sealed the record: nothing that was decided in an earlier term can change it. */
  readonly epoch: number | undefined;
  /** The version of the file in the store; undefined if there is none. */
  readonly version: string | undefined;
}

/** Beside the members, whose names begin with a letter or digit. */
const EPOCH = '_epoch';

/** Reads the record. Entries that are not strings are left out. */
export async function readVersions(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<StoredVersions> {
  const stored = await store.read(`${backupPath}/${RECORD}`, signal);
  const { [EPOCH]: sealed, ...members } = asRecord(stored && parseJson(stored.bytes));
  const versions = Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const epoch = typeof sealed === 'string' && /^\d+$/.test(sealed) ? Number(sealed) : undefined;
  return { versions: Object.fromEntries(versions), epoch, version: stored?.version };
}

/**
 * Replaces the record that was read.
 *
 * @param epoch the term of a leader that seals it, so that every write of an earlier leader fails; otherwise as it was
 * @throws ConflictError if it has changed since
 */
export async function writeVersions(
  store: StateStore,
  backupPath: string,
  versions: Versions,
  read: StoredVersions,
  signal?: AbortSignal,
  epoch: number | undefined = read.epoch,
): Promise<void> {
  const record = { ...versions, ...(epoch !== undefined && { [EPOCH]: String(epoch) }) };
  const condition = ifUnchanged(read.version);
  await store.write(`${backupPath}/${RECORD}`, Buffer.from(printJson(record)), condition, signal);
}
