import { objectOf, parseJson, printJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** The etcd version by member: the one that last served its data, or that the leader has allowed next. */
const RECORD = 'control/versions.json';

export type Versions = Readonly<Record<string, string>>;

export interface StoredVersions {
  readonly versions: Versions;
  /** The version of the file in the store; undefined if there is none. */
  readonly version: string | undefined;
}

/** Reads the record. Entries that are not strings are left out. */
export async function readVersions(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<StoredVersions> {
  const stored = await store.read(`${backupPath}/${RECORD}`, signal);
  const entries = Object.entries(objectOf(stored && parseJson(stored.bytes)));
  const versions = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { versions: Object.fromEntries(versions), version: stored?.version };
}

/** Replaces the record that was read. @throws ConflictError if it has changed since */
export async function writeVersions(
  store: StateStore,
  backupPath: string,
  versions: Versions,
  read: StoredVersions,
  signal?: AbortSignal,
): Promise<void> {
  const condition = read.version === undefined ? ({ ifAbsent: true } as const) : { ifVersion: read.version };
  await store.write(`${backupPath}/${RECORD}`, Buffer.from(printJson(versions)), condition, signal);
}
