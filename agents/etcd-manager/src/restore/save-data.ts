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

/**
 * The revision of a backup of kops is tried this often: enough for a store that is away for a moment. All API servers are
 * stopped meanwhile.
 */
const MOST_TRIES = 3;
const BETWEEN_TRIES_MS = 10_000;

/**
 * Backs up the current data, if an etcd still serves it, and then decides the revision to restore to. Resolves with the next
 * record. That the data is backed up is a record of its own, so that it happens once.
 */
export async function saveData(
  record: RestoreRecord,
  config: EtcdClusterConfig,
  volume: Pick<MemberFile, 'member'>,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<RestoreRecord> {
  if (record.safetyBackup !== undefined) return decideRevision(record, record.safetyBackup, config, env, signal);
  try {
    const request = { member: volume.member, memberCount: record.members.length, reason: `before ${record.reason}` };
    const { name, facts } = await takeFromAny(record, request, config, env, signal);
    const lastRevision = Math.max(record.lastRevision ?? 0, facts.revision);
    return { ...record, safetyBackup: name, safetyRevision: facts.revision, lastRevision };
  } catch (error) {
    signal.throwIfAborted();
    // An etcd that does not start sends no snapshot. One that has only lost its quorum does send what it has.
    env.log.warn('could not back up the current data', { error });
    // The phase `keeping` backs up what the etcds leave behind, and needs neither an etcd that runs nor room for a copy.
    if (record.backup !== undefined) return decideRevision(record, record.backup, config, env, signal);
    return enter(record, 'failed', env.clock.wallMs(), { failure: `saving: ${messageOf(error)}` });
  }
}

/** @param saved the backup to restore if the record names none */
async function decideRevision(
  record: RestoreRecord,
  saved: string,
  config: EtcdClusterConfig,
  env: RestoreEnv,
  signal: AbortSignal,
): Promise<RestoreRecord> {
  const { backup = saved, lastRevision = 0, revision } = record;
  if (revision !== undefined) {
    if (lastRevision < revision) return enter(record, 'restoring', env.clock.wallMs(), { backup });
    const failure = `saving: etcd is at revision ${lastRevision}, beyond the revision ${revision} to which members already restore`;
    return enter(record, 'failed', env.clock.wallMs(), { failure });
  }
  for (let tried = 1; ; tried += 1) {
    try {
      const revisions = await revisionToRestoreTo(config, record, backup, env, signal);
      return enter(record, 'restoring', env.clock.wallMs(), { ...revisions, backup });
    } catch (error) {
      signal.throwIfAborted();
      env.log.warn('could not find out the revision of a backup', {
        backup,
        error,
        attempt: tried,
        attempts: MOST_TRIES,
      });
      if (error instanceof UnusableBackupError || tried >= MOST_TRIES) {
        return enter(record, 'failed', env.clock.wallMs(), { failure: `saving: ${messageOf(error)}` });
      }
    }
    await env.clock.sleep(BETWEEN_TRIES_MS, signal);
  }
}

/**
 * Takes a backup from the local etcd or, if that fails, from another member: the machine that leads the restore may be the
 * broken one. If this backup is what will be restored, it has every acknowledged write.
 */
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
      // A member may lag behind. It answers a linearizable read once it has every write that was acknowledged before.
      if (record.backup === undefined) await env.etcds.ask(address, config, (etcd) => etcd.countKeys(signal));
      return await env.takeBackup(config, request, { ...env, address }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${address}: ${messageOf(error)}`);
    }
  }
  throw new Error(failures.join('; '));
}
