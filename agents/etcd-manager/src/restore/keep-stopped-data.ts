import type { EtcdClusterConfig, MemberFile } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord, StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import { chooseBackupKey } from '../backup/choose-key.ts';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { storeBackup } from '../backup/store-backup.ts';
import { backUpEtcd2 } from '../takeover/back-up-etcd2.ts';
import { databasePath } from './data-folders.ts';
import type { BackupEnv } from '../backup/take-backup.ts';
import { stoppedSnapshot } from './stopped-database.ts';

/**
 * Backs up data that the local etcd had when a restore stopped it. The data is streamed to the store from where it
 * is, so the volume needs no room for a copy.
 *
 * @returns the name of the backup
 */
export async function keepStoppedData(
  record: RestoreRecord,
  stopped: StoppedData,
  config: EtcdClusterConfig,
  { member }: Pick<MemberFile, 'member'>,
  env: Pick<BackupEnv, 'cluster' | 'store' | 'log'>,
  signal: AbortSignal,
): Promise<string> {
  if (stopped.etcd2 !== undefined) {
    return backUpEtcd2({ record, stopped, position: stopped.etcd2, member }, config, env, signal);
  }
  const startedMs = performance.now();
  const path = databasePath(config, stopped.token);
  const key = await chooseBackupKey(config, env, signal);
  const source = await stoppedSnapshot(path);
  const { revision, entries } = await (await snapshotTools(config.binDir)).status(path, signal);
  const taken = {
    source,
    // Nothing was written after that time, and all backups of the restored cluster are newer.
    takenMs: Date.parse(stopped.at),
    startedMs,
    spec: { memberCount: record.members.length, etcdVersion: config.etcdVersion },
    facts: { revision, entries, reason: `before ${record.reason}`, takenBy: member },
  };
  const target = { store: env.store, backupPath: config.backupPath, log: env.log, ...(key && { key }) };
  const { name } = await storeBackup(taken, target, signal);
  return name;
}
