import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { asRecord } from '@kopsctl/tasks/record.ts';

/**
 * Where the backups of an etcd cluster lie, below its folder in the store (`<cluster>/backups/etcd/main`), which is
 * what `backupPath` means everywhere. Names are those of kops's etcd-manager (pkg/backup/vfs.go), so that either side
 * restores the other's; files of ours that kops does not know lie beside.
 */
export const BACKUP_DATA = 'etcd.backup.gz';
/** kops cannot read an encrypted backup, so the file has another name. */
export const ENCRYPTED_BACKUP_DATA = 'etcd.backup.gz.enc';
/** Written last: a backup without it was not finished. */
export const BACKUP_META = '_etcd_backup.meta';
/** Facts about the data for which kops's meta file has no field. */
export const BACKUP_FACTS = '_backup_facts.json';
/** The outcome of restoring it into a throw-away etcd. */
export const BACKUP_VERIFIED = '_verified.json';

/** kops's name of a backup: `2018-01-30T01:02:03Z-000009`. */
export function backupName(nowMs: number, sequence: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z-${String(sequence).padStart(6, '0')}`;
}

/** The time in a backup's name; undefined for a name that is not a backup's. */
export function backupTimeMs(name: string): number | undefined {
  const [, time] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)-\d{6,}$/.exec(name) ?? [];
  const ms = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : ms;
}

/** What control wants of the etcd cluster. */
export interface EtcdClusterSpec {
  readonly memberCount: number;
  readonly etcdVersion: string;
}

export interface BackupMeta {
  readonly etcdVersion: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly clusterSpec: EtcdClusterSpec;
}

/** Its data is a tar of a folder, whereas that of etcd 3 is a snapshot. */
export function holdsEtcd2({ etcdVersion }: Pick<BackupMeta, 'etcdVersion'>): boolean {
  return etcdVersion.replace(/^v/, '').startsWith('2.');
}

/** kops refuses fields it does not know here, so there are none of ours. Its time is in seconds, as a
 * string: that is how protobuf's JSON form writes 64-bit numbers. */
export function printBackupMeta(spec: EtcdClusterSpec, nowMs: number): string {
  const timestamp = String(Math.floor(nowMs / 1000));
  return JSON.stringify({ etcdVersion: spec.etcdVersion, timestamp, clusterSpec: spec }, undefined, 2);
}

/** protobuf's JSON form leaves out zeros and accepts both spellings of a field; a file that is not JSON is an error. */
export function parseBackupMeta(text: string): BackupMeta {
  const meta = asRecord(JSON.parse(text));
  const spec = asRecord(meta['clusterSpec'] ?? meta['cluster_spec']);
  const etcdVersion = textOf(meta['etcdVersion'] ?? meta['etcd_version']);
  return {
    etcdVersion,
    timestamp: Number(meta['timestamp'] ?? 0),
    clusterSpec: {
      memberCount: Number(spec['memberCount'] ?? spec['member_count'] ?? 0),
      etcdVersion: textOf(spec['etcdVersion'] ?? spec['etcd_version']) || etcdVersion,
    },
  };
}

export interface BackupFacts {
  /** Of the file as it is stored. */
  readonly sha256: string;
  readonly storedBytes: number;
  readonly databaseBytes: number;
  /** The last revision in the backup; what is written after it is not in the backup. */
  readonly revision: number;
  /**
   * As `snapshot status` of the etcd in the meta file counts them: the keys since 3.6; before, all entries of the database, all
   * revisions of all keys among them.
   */
  readonly entries: number;
  /** e.g. `scheduled`, `before removing member b`. */
  readonly reason: string;
  readonly takenBy: string;
  readonly durationMs: number;
  /** etcd's own checksum at the end of the snapshot was compared when it was stored. */
  readonly isChecked?: boolean;
  /** The key it is encrypted with, by the first half of the key's own SHA-256; absent: it is not. */
  readonly encryptionKeyId?: string;
}

export interface BackupVerified {
  readonly ok: boolean;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
  readonly durationMs: number;
  /** What was found out, where it got that far. */
  readonly revision?: number;
  readonly keys?: number;
  /** etcd's own hash of all keys at that revision. */
  readonly hash?: number;
  /** Why it is not ok. */
  readonly failure?: string;
}

/** Undefined for a text that is torn or not such facts: the backup then counts as one of kops, which has none. */
export function parseBackupFacts(bytes: Uint8Array): BackupFacts | undefined {
  const fields = new FieldReader(parseJson(bytes));
  const facts: BackupFacts = {
    sha256: fields.text('sha256'),
    storedBytes: fields.number('storedBytes'),
    databaseBytes: fields.number('databaseBytes'),
    revision: fields.number('revision'),
    entries: fields.number('entries'),
    reason: fields.text('reason', 'may be empty'),
    takenBy: fields.text('takenBy', 'may be empty'),
    durationMs: fields.number('durationMs'),
    ...fields.optional('isChecked', (name) => fields.boolean(name)),
    ...fields.optional('encryptionKeyId', (name) => fields.text(name)),
  };
  return fields.faults.length === 0 ? facts : undefined;
}

/** Undefined for a text that is torn or not such an outcome: the backup then counts as not verified yet. */
export function parseBackupVerified(bytes: Uint8Array): BackupVerified | undefined {
  const fields = new FieldReader(parseJson(bytes));
  const verified: BackupVerified = {
    ok: fields.boolean('ok'),
    at: fields.text('at'),
    by: fields.text('by', 'may be empty'),
    durationMs: fields.number('durationMs'),
    ...fields.optional('revision', (name) => fields.number(name)),
    ...fields.optional('keys', (name) => fields.number(name)),
    ...fields.optional('hash', (name) => fields.number(name)),
    ...fields.optional('failure', (name) => fields.text(name, 'may be empty')),
  };
  return fields.faults.length === 0 ? verified : undefined;
}

export function printJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The object that a text holds, or the list by its indexes; undefined for anything else, including a torn text. */
export function parseJson(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
