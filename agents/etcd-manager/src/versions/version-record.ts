import { objectOf, parseJson, printJson } from '@kopsctl/state-store/etcd/backup-layout.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** `control/versions.json`: the etcd version that each member's data was last served by, or may be served by next. */
const RECORD = 'control/versions.json';

export type Versions = Readonly<Record<string, string>>;

export interface StoredVersions {
  readonly versions: Versions;
  /** Of the file that was read; undefined: there is none. */
  readonly version: string | undefined;
}

export async function readVersions(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<StoredVersions> {
  const stored = await store.read(`${backupPath}/${RECORD}`, signal);
  const entries = Object.entries(objectOf(stored && parseJson(stored.bytes)));
  const versions = entries.flatMap(([member, version]) => (typeof version === 'string' ? [[member, version]] : []));
  return { versions: Object.fromEntries(versions) as Versions, version: stored?.version };
}

/** @throws ConflictError when somebody else wrote since it was read. */
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
