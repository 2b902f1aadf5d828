import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { StoredBackup } from '../backup/store-backup.ts';
import type { BackupRequest } from '../backup/take-backup.ts';
import { memberHost } from '../etcd/settings.ts';
import { UnusableBackupError } from './fetch-snapshot.ts';
import { revisionToRestoreTo } from './known-revision.ts';
import type { RestoreEnv } from './restore-env.ts';
import { enter } from './restore-step.ts';

/** Backs up the current data, if an etcd still serves it, and decides the revision to restore to. Resolves with the next record. */
export async function saveData(
  record: RestoreRecord,
  config: EtcdClusterConfig,
  volume: Pick<MemberFile, 'member'>,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<RestoreRecord> {
  const fetching = { cluster: env.cluster, backupPath: config.backupPath, store: env.store };
  let saved: Pick<RestoreRecord, 'safetyBackup' | 'safetyRevision' | 'lastRevision'> = {};
  let whyNot = '';
  try {
    const request = { member: volume.member, memberCount: record.members.length, reason: `before ${record.reason}` };
    const { name, facts } = await takeFromAny(record, request, config, env, signal);
    const { revision } = facts;
    saved = {
      safetyBackup: name,
      safetyRevision: revision,
      lastRevision: Math.max(record.lastRevision ?? 0, revision),
    };
  } catch (error) {
    signal.throwIfAborted();
    // An etcd that does not start sends no snapshot. One that has only lost its quorum does send what it has.
    env.log.warn('could not back up the current data', { error });
    // The phase `keeping` backs up what the etcds leave behind, and needs neither an etcd that runs nor room for a copy.
    whyNot = messageOf(error);
  }
  const backup = record.backup ?? saved.safetyBackup;
  if (backup === undefined) return enter(record, 'failed', env.clock.wallMs(), { failure: `saving: ${whyNot}` });
  if (record.revision !== undefined) {
    const last = saved.lastRevision ?? 0;
    if (last < record.revision) return enter(record, 'restoring', env.clock.wallMs(), { ...saved, backup });
    const failure = `saving: etcd is at revision ${last}, beyond the revision ${record.revision} to which members already restore`;
    return enter(record, 'failed', env.clock.wallMs(), { ...saved, failure });
  }
  try {
    const revisions = await revisionToRestoreTo(config, { ...record, ...saved }, backup, fetching, signal);
    return enter(record, 'restoring', env.clock.wallMs(), { ...saved, ...revisions, backup });
  } catch (error) {
    signal.throwIfAborted();
    // A backup that cannot be used ends the restore; everything else is tried again.
    if (!(error instanceof UnusableBackupError)) throw error;
    return enter(record, 'failed', env.clock.wallMs(), { ...saved, failure: `saving: ${error.message}` });
  }
}

/** Takes a backup from the local etcd or, if that fails, from another member: the machine that leads the restore may be the broken one. */
async function takeFromAny(
  record: RestoreRecord,
  request: BackupRequest,
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<StoredBackup> {
  const others = record.members.filter((member) => member !== request.member);
  const addresses = [env.address, ...others.map((member) => memberHost(config, member))];
  const failures: string[] = [];
  for (const address of addresses) {
    try {
      return await env.takeBackup(config, request, { ...env, address }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${address}: ${messageOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}
