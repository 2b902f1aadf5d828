import { randomBytes } from 'node:crypto';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { refusalOf } from '@kopsctl/state-store/etcd/check-restore.ts';
import type { EtcdCommand, EtcdWish } from '@kopsctl/state-store/etcd/command.ts';
import { findBackup } from '@kopsctl/state-store/etcd/list-backups.ts';
import { hasEnded, readRestore, writeRestore, type RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import type { Term } from '../lease/leadership.ts';
import type { LeadingEnv } from '../lease/leading-env.ts';
import { confirmEpoch } from '../lease/reconcile-leadership.ts';

type RestoreWish = Extract<EtcdWish, { readonly action: 'restore-backup' }>;

/**
 * Begins the restore that a command asks for, unless it must be refused.
 *
 * @returns why the restore is refused; undefined once it is under way, after which `answerOf` tells how it ends
 */
export async function acceptRestore(
  command: EtcdCommand & { readonly wish: RestoreWish },
  config: EtcdClusterConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { backup, clusterSpec } = command.wish;
  const current = await readRestore(store, config.backupPath, signal);
  const refusal = refusalOf({
    backupName: backup,
    backup: await findBackup(store, config.backupPath, backup, signal),
    askedVersion: clusterSpec.etcdVersion,
    wantedVersion: config.etcdVersion,
    current: current?.record,
  });
  if (refusal !== undefined) return refusal;
  await beginRestore({ id: command.name, reason: `restoring ${backup}`, backup }, config, store, signal);
  return undefined;
}

type RestoreRequest = Pick<RestoreRecord, 'id' | 'reason' | 'backup' | 'takesOverEtcd2'> &
  Partial<Pick<RestoreRecord, 'etcdVersion'>>;

/** Begins a restore that the leader has decided on by itself. @throws if it no longer leads */
export async function beginRestoreInTerm(
  request: RestoreRequest,
  { epoch }: Term,
  config: EtcdClusterConfig,
  { store, bell }: Pick<LeadingEnv, 'store' | 'bell'>,
  signal: AbortSignal,
): Promise<void> {
  await confirmEpoch(epoch, { store, backupPath: config.backupPath }, signal);
  await beginRestore(request, config, store, signal);
  bell.tell();
}

/**
 * Begins a restore. Without a backup in the request, a backup is taken once every API server has stopped, and restored, so
 * that nothing is lost; this is how etcd changes to a version to which it cannot be upgraded in place.
 *
 * @returns false if another restore is under way
 */
export async function beginRestore(
  request: RestoreRequest,
  config: EtcdClusterConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<boolean> {
  const current = await readRestore(store, config.backupPath, signal);
  if (current !== undefined && !hasEnded(current.record)) return false;
  const record: RestoreRecord = {
    etcdVersion: config.etcdVersion,
    ...request,
    token: randomBytes(16).toString('hex'),
    phase: 'gathering',
    since: new Date().toISOString(),
    members: [],
    acknowledged: [],
  };
  try {
    await writeRestore(store, config.backupPath, record, current, signal);
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}

/** How the restore of a command ended or how far it is; undefined if the record is that of another restore. */
export async function answerOf(
  commandName: string,
  config: EtcdClusterConfig,
  store: StateStore,
  signal: AbortSignal,
): Promise<{ readonly result: 'done' | 'failed' | 'under way'; readonly message: string } | undefined> {
  const current = await readRestore(store, config.backupPath, signal);
  if (current?.record.id !== commandName) return undefined;
  const { phase, failure, backup, revision, safetyBackup, withoutSafetyBackup } = current.record;
  if (phase === 'failed') return { result: 'failed', message: failure ?? 'it failed' };
  if (phase !== 'done') return { result: 'under way', message: phase };
  const safety =
    safetyBackup === undefined
      ? `the data from before could not be backed up (${withoutSafetyBackup ?? ''}); it is in data-trashcan/ of each volume`
      : `the data from before is in the backup ${safetyBackup}`;
  return { result: 'done', message: `restored ${backup ?? ''} at revision ${revision ?? 0}; ${safety}` };
}
