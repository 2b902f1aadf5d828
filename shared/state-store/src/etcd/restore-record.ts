import { FieldReader } from '@kopsctl/agent/field-reader.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { ifUnchanged } from '../condition.ts';
import type { StateStore } from '../store.ts';
import { parseJson, printJson } from './backup-layout.ts';

/**
 * How far a restore has come, in the order it goes through. The last two are ends.
 *
 *   gathering   each machine that is running reports it
 *   stopping    each of them stops its API server
 *   saving      only where it is not known yet what to restore, or to which revision: what is there now is backed up
 *   restoring   each restores the snapshot as a file, under a new cluster token, and stops its etcd
 *   switching   it is decided that the restored cluster counts: the marker comes to name the new token
 *   starting    the marker names it; the etcds start from what was restored
 *   finishing   what must not outlive a restore is removed; each machine starts its API server
 *   keeping     one of them backs up what its etcd had when it stopped, unless the backup of `saving` has all of it
 */
export const RESTORE_PHASES = [
  'gathering',
  'stopping',
  'saving',
  'restoring',
  'switching',
  'starting',
  'finishing',
  'keeping',
  'done',
  'failed',
] as const;
export type RestorePhase = (typeof RESTORE_PHASES)[number];

/** What an etcd had when it was stopped. It stays on the volume until the restore has ended. */
export interface StoppedData {
  /** The etcd cluster that it belongs to; the name of its folder. */
  readonly token: string;
  /** 0: it could not be read, or is of etcd 2. */
  readonly revision: number;
  /** For data of etcd 2, which has no revisions: how far its log goes. */
  readonly etcd2?: { readonly term: number; readonly index: number };
  /** When it was looked at, after the etcd had ended, ISO 8601. */
  readonly at: string;
}

/** A restore that the record has held before, and how it ended. */
export interface EndedRestore {
  readonly id: string;
  readonly result: 'done' | 'failed';
  readonly message: string;
}

/**
 * The one restore of an etcd cluster, under way or ended. Every change is a conditional write of the whole record, so
 * that any number of machines, each of which may die at any point, carry the same restore on from where it stands.
 */
export interface RestoreRecord {
  /** The command it carries out, or a name of its own. */
  readonly id: string;
  /** The term of the leader that began it. A leader of an earlier term begins none after it. */
  readonly epoch?: number;
  /** The restores before it, newest first, so that none of them is carried out twice. */
  readonly earlier?: readonly EndedRestore[];
  readonly reason: string;
  /** The backup to restore. Absent: what `saving` backs up (a change of version, or of data of etcd 2 to etcd 3). */
  readonly backup?: string;
  /** The existing data is of etcd 2, and `saving` backs it up: begun by the managers themselves. */
  readonly takesOverEtcd2?: true;
  readonly etcdVersion: string;
  /** The etcd cluster that the restore creates: its token is unique. */
  readonly token: string;
  /** The token of the last restore before this one that came to count; absent if there was none. */
  readonly inForce?: string;
  readonly phase: RestorePhase;
  /** When this phase began, ISO 8601. */
  readonly since: string;
  /** Machines that take part, by member; fixed when `gathering` ends. Those that did not answer join later, empty. */
  readonly members: readonly string[];
  /** Members that have done what the phase asks for. */
  readonly acknowledged: readonly string[];
  /** API servers on machines without etcd, by machine. Each is recorded before it begins to stop. */
  readonly apiServers?: Readonly<Record<string, 'ending' | 'ended'>>;
  /** Addresses of API servers that etcd still listed when those of all members had stopped. */
  readonly runningApiServers?: readonly string[];
  /** The last revision that any machine has seen, and the higher one that all machines restore to. */
  readonly lastRevision?: number;
  readonly revision?: number;
  /** The size of the backup's database, where it is known before it is fetched. */
  readonly databaseBytes?: number;
  /** By member. */
  readonly stopped?: Readonly<Record<string, StoppedData>>;
  /**
   * What the etcds had before an earlier restore, which was given up because its etcd did not come to serve. It is in no backup
   * yet. By member.
   */
  readonly carriedOver?: Readonly<Record<string, StoppedData>>;
  /** The backup of `carriedOver`. */
  readonly carriedBackup?: string;
  /** Members whose `stopped` or `carriedOver` data the restore no longer waits for, and why. */
  readonly notKept?: Readonly<Record<string, string>>;
  /** Grows while a member backs up its `stopped` data, so that the others see that it makes progress. */
  readonly keeperBeat?: number;
  /** The backup of what was there before the restore, or why there is none. */
  readonly safetyBackup?: string;
  /** The revision of that backup, if etcd ran on after it was taken. */
  readonly safetyRevision?: number;
  readonly withoutSafetyBackup?: string;
  /** Why the restore failed. */
  readonly failure?: string;
}

/** In the folder of the etcd cluster. */
export const RESTORE_RECORD = 'control/restore.json';

export interface StoredRecord {
  readonly record: RestoreRecord;
  readonly version: string;
}

export async function readRestore(
  store: StateStore,
  backupPath: string,
  signal?: AbortSignal,
): Promise<StoredRecord | undefined> {
  const stored = await store.read(`${backupPath}/${RESTORE_RECORD}`, signal);
  if (stored === undefined) return undefined;
  const written = parseJson(stored.bytes);
  const fields = new FieldReader(written);
  const record = readRecord(fields);
  if (fields.faults.length > 0) {
    const path = `${store.url}/${backupPath}/${RESTORE_RECORD}`;
    throw new ActionableError({
      what: 'find out whether a restore is in progress',
      why:
        written === undefined
          ? `${path} is only partly written`
          : `these fields of ${path} are missing or have another type: ${fields.faults.join(', ')}`,
      next: adviceFor(written, path),
    });
  }
  // The whole record is written back, with what a newer agent may have added.
  return { record: { ...written, ...record }, version: stored.version };
}

/** Without its record a restore ends where it stands: its end is then up to the command, or to a person. */
function adviceFor(written: Readonly<Record<string, unknown>> | undefined, path: string): string {
  const phase = written?.['phase'];
  if (typeof phase === 'string' && !RESTORE_PHASES.some((one) => one === phase)) {
    return `wait until the restore has ended: a newer version has written its phase ${phase}; or update this machine to that version`;
  }
  return `remove ${path}; a restore that was asked for then begins again, unless it had restored the data already`;
}

function readRecord(fields: FieldReader): RestoreRecord {
  return {
    id: fields.text('id'),
    ...fields.optional('epoch', (name) => fields.number(name)),
    ...fields.optional('earlier', (name) => fields.objects(name, readEnded)),
    reason: fields.text('reason', 'may be empty'),
    ...fields.optional('backup', (name) => fields.text(name)),
    ...fields.optional('takesOverEtcd2', (name) => fields.word(name, [true])),
    etcdVersion: fields.text('etcdVersion'),
    token: fields.text('token'),
    ...fields.optional('inForce', (name) => fields.text(name)),
    phase: fields.word('phase', RESTORE_PHASES),
    since: fields.text('since'),
    members: fields.texts('members'),
    acknowledged: fields.texts('acknowledged'),
    ...fields.optional('apiServers', (name) =>
      fields.record(name, (servers, machine) => servers.word(machine, ['ending', 'ended'])),
    ),
    ...fields.optional('runningApiServers', (name) => fields.texts(name)),
    ...fields.optional('lastRevision', (name) => fields.number(name)),
    ...fields.optional('revision', (name) => fields.number(name)),
    ...fields.optional('databaseBytes', (name) => fields.number(name)),
    ...fields.optional('stopped', (name) => readStoppedOf(fields, name)),
    ...fields.optional('carriedOver', (name) => readStoppedOf(fields, name)),
    ...fields.optional('carriedBackup', (name) => fields.text(name)),
    ...fields.optional('notKept', (name) =>
      fields.record(name, (members, member) => members.text(member, 'may be empty')),
    ),
    ...fields.optional('keeperBeat', (name) => fields.number(name)),
    ...fields.optional('safetyBackup', (name) => fields.text(name)),
    ...fields.optional('safetyRevision', (name) => fields.number(name)),
    ...fields.optional('withoutSafetyBackup', (name) => fields.text(name, 'may be empty')),
    ...fields.optional('failure', (name) => fields.text(name, 'may be empty')),
  };
}

function readStoppedOf(fields: FieldReader, name: string): Readonly<Record<string, StoppedData>> {
  return fields.record(name, (members, member) => members.object(member, readStopped));
}

const readEnded = (fields: FieldReader): EndedRestore => ({
  id: fields.text('id'),
  result: fields.word('result', ['done', 'failed']),
  message: fields.text('message', 'may be empty'),
});

const readStopped = (fields: FieldReader): StoppedData => ({
  token: fields.text('token', 'may be empty'),
  revision: fields.number('revision'),
  ...fields.optional('etcd2', (name) =>
    fields.object(name, (etcd2) => ({ term: etcd2.number('term'), index: etcd2.number('index') })),
  ),
  at: fields.text('at'),
});

/** Replaces the record that was read, or creates the first. @throws ConflictError when another writer was faster. */
export async function writeRestore(
  store: StateStore,
  backupPath: string,
  record: RestoreRecord,
  replaced: StoredRecord | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const condition = ifUnchanged(replaced?.version);
  await store.write(`${backupPath}/${RESTORE_RECORD}`, Buffer.from(printJson(record)), condition, signal);
}

/**
 * The managers give up a restore whose etcd has not come to serve for this long, once another one is asked for. etcd starts
 * within seconds, and late members are waited for for three minutes.
 */
export const STUCK_MS = 10 * 60_000;

/** Whether, by a clock that is not the managers' own, they would give up this restore for another one. */
export function mayBeGivenUp({ phase, since }: Pick<RestoreRecord, 'phase' | 'since'>, nowMs: number): boolean {
  return phase === 'starting' && nowMs - Date.parse(since) > STUCK_MS;
}

export function hasEnded(record: Pick<RestoreRecord, 'phase'>): boolean {
  return record.phase === 'done' || record.phase === 'failed';
}

/** The token of the last restored cluster that counts; undefined if none does. */
export function tokenInForce({ phase, token, inForce }: RestoreRecord): string | undefined {
  const hasSwitched = phase !== 'failed' && RESTORE_PHASES.indexOf(phase) >= RESTORE_PHASES.indexOf('starting');
  return hasSwitched ? token : inForce;
}
