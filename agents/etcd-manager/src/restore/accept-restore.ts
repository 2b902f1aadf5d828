import { randomBytes } from 'node:crypto';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { refusalOf } from '@kopsctl/state-store/etcd/check-restore.ts';
import { readOutcome, type EtcdCommand, type EtcdWish } from '@kopsctl/state-store/etcd/command.ts';
import { findBackup, UnreadableMetaError, type BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import {
  hasEnded,
  readRestore,
  tokenInForce,
  writeRestore,
  type EndedRestore,
  type RestoreRecord,
  type StoredRecord,
} from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import type { Term } from '../lease/leadership.ts';
import type { LeadingEnv } from '../lease/leading-env.ts';
import { confirmTerm } from '../lease/reconcile-leadership.ts';
import { isCarriedOut } from './carried-out.ts';
import { givenUp } from './stuck-restore.ts';

type RestoreWish = Extract<EtcdWish, { readonly action: 'restore-backup' }>;
type RestoreConfig = Pick<EtcdClusterConfig, 'backupPath' | 'etcdVersion'>;

/** What a leader knows when it accepts a restore. */
interface Standing {
  /** The term of this leader. */
  readonly epoch: number;
  /** The record of a restore that is stuck, if it has not changed since: the new restore takes its place. */
  readonly stuck?: StoredRecord | undefined;
}

/** How many ended restores the record names. A command whose restore is older has an outcome. */
const EARLIER = 20;

/**
 * Begins the restore that a command asks for, unless it must be refused. A command is restored once: the record is read
 * first, so if the restore has begun or ended since the command was found, either the record or the outcome says so, or the
 * conditional write of the record fails.
 *
 * @returns why the restore is refused; undefined once it is under way, after which `answerOf` tells how it ends
 */
export async function acceptRestore(
  command: EtcdCommand & { readonly wish: RestoreWish },
  { epoch, stuck }: Standing,
  config: RestoreConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { name, wish } = command;
  const stored = await readRestore(store, config.backupPath, signal);
  if (stored !== undefined && namesOf(stored.record).includes(name)) return undefined;
  const isStuck = stored !== undefined && stored.version === stuck?.version;
  const current = isStuck ? { ...stored, record: givenUp(stored.record) } : stored;
  if ((await readOutcome(store, config.backupPath, name, signal)) !== undefined)
    return `the command ${name} has ended already`;
  if (await isCarriedOut(name, store, config.backupPath, signal))
    return `the command ${name} has been carried out already, and the record of its restore was lost: the data from before was not backed up by it and is still on the volumes`;
  if (isLaterTerm(current?.record, epoch)) return `the lease of epoch ${epoch} is over`;
  let backup: BackupDetails | undefined;
  try {
    backup = await findBackup(store, config.backupPath, wish.backup, signal);
  } catch (error) {
    // The next look would find the same, and every later command waits behind this one.
    if (error instanceof UnreadableMetaError) return messageOf(error);
    throw error;
  }
  const refusal = refusalOf({
    backupName: wish.backup,
    backup,
    askedVersion: wish.clusterSpec.etcdVersion,
    wantedVersion: config.etcdVersion,
    current: current?.record,
  });
  if (refusal !== undefined) return refusal;
  const request = { id: name, reason: `restoring ${wish.backup}`, backup: wish.backup };
  await beginRestore(request, epoch, current, config, store, signal);
  return undefined;
}

type RestoreRequest = Pick<RestoreRecord, 'id' | 'reason' | 'backup' | 'takesOverEtcd2'> &
  Partial<Pick<RestoreRecord, 'etcdVersion'>>;

/**
 * Begins a restore that the leader has decided on by itself, if nothing has changed since.
 *
 * @param seen the record from which it was decided
 * @throws if it no longer leads
 */
export async function beginRestoreInTerm(
  request: RestoreRequest,
  seen: StoredRecord | undefined,
  term: Term,
  config: EtcdClusterConfig,
  { store, bell }: Pick<LeadingEnv, 'store' | 'bell'>,
  signal: AbortSignal,
): Promise<void> {
  await confirmTerm(term, { store, backupPath: config.backupPath }, signal);
  await beginRestore(request, term.epoch, seen, config, store, signal);
  bell.tell();
}

/**
 * Begins a restore. Without a backup in the request, a backup is taken once every API server has stopped, and restored, so
 * that nothing is lost; this is how etcd changes to a version to which it cannot be upgraded in place.
 *
 * @param seen the record that it replaces
 * @returns false if another restore is under way, or if the record is not the one that was seen
 */
export async function beginRestore(
  request: RestoreRequest,
  epoch: number,
  seen: StoredRecord | undefined,
  config: RestoreConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<boolean> {
  const last = seen?.record;
  if ((last !== undefined && !hasEnded(last)) || isLaterTerm(last, epoch)) return false;
  // If the restored data is lost before its first backup, only the record still knows how far it was.
  const lastRevision = Math.max(last?.revision ?? 0, last?.lastRevision ?? 0);
  const inForce = last && tokenInForce(last);
  const carriedOver = last?.phase === 'failed' ? last.carriedOver : undefined;
  const record: RestoreRecord = {
    etcdVersion: config.etcdVersion,
    ...request,
    epoch,
    ...(last && { earlier: [endOf(last), ...(last.earlier ?? [])].slice(0, EARLIER) }),
    token: randomBytes(16).toString('hex'),
    ...(inForce !== undefined && { inForce }),
    ...(carriedOver && { carriedOver }),
    phase: 'gathering',
    since: new Date().toISOString(),
    members: [],
    acknowledged: [],
    ...(lastRevision > 0 && { lastRevision }),
  };
  try {
    await writeRestore(store, config.backupPath, record, seen, signal);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}

/** A leader that was paused for long may still believe that it leads. */
function isLaterTerm(record: RestoreRecord | undefined, epoch: number): boolean {
  return record?.epoch !== undefined && record.epoch > epoch;
}

function namesOf({ id, earlier = [] }: RestoreRecord): readonly string[] {
  return [id, ...earlier.map((one) => one.id)];
}

/** How the restore of a command ended or how far it is; undefined if there was none. */
export async function answerOf(
  commandName: string,
  config: RestoreConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<{ readonly result: 'done' | 'failed' | 'under way'; readonly message: string } | undefined> {
  const record = (await readRestore(store, config.backupPath, signal))?.record;
  if (record?.id === commandName) {
    return hasEnded(record) ? answer(endOf(record)) : { result: 'under way', message: record.phase };
  }
  const ended = record?.earlier?.find(({ id }) => id === commandName);
  return ended && answer(ended);
}

function answer({ result, message }: EndedRestore): Pick<EndedRestore, 'result' | 'message'> {
  return { result, message };
}

/** How a restore that is over has ended. */
function endOf({ id, ...record }: RestoreRecord): EndedRestore {
  const { phase, failure, backup, revision, safetyBackup, withoutSafetyBackup, carriedOver, carriedBackup } = record;
  if (phase === 'failed') return { id, result: 'failed', message: failure ?? 'it failed' };
  const inTrashcan = `could not be backed up (${withoutSafetyBackup ?? ''}); it is in data-trashcan/ of each volume`;
  const later = withoutSafetyBackup === undefined ? '' : `; what etcd wrote after that backup was taken ${inTrashcan}`;
  const safety =
    safetyBackup === undefined
      ? `the data from before ${inTrashcan}`
      : `the data from before is in the backup ${safetyBackup}${later}`;
  const carried =
    carriedBackup === undefined
      ? 'could not be backed up; it is in data-trashcan/ of each volume'
      : `is in ${carriedBackup}`;
  const earlier = carriedOver === undefined ? '' : `; the data from before the restore that was given up ${carried}`;
  return { id, result: 'done', message: `restored ${backup ?? ''} at revision ${revision ?? 0}; ${safety}${earlier}` };
}
