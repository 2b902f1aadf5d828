import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { RestoreRecord, StoppedData } from '@kopsctl/state-store/etcd/restore-record.ts';
import { chooseBackupKey } from '../backup/choose-key.ts';
import { snapshotFile } from '../backup/snapshot-source.ts';
import { storeBackup } from '../backup/store-backup.ts';
import { withTemporaryFolder } from '../backup/temporary-folder.ts';
import { volumeLayout } from '../etcd/settings.ts';
import { dataFolder, databasePathIn } from '../restore/data-folders.ts';
import { etcd2Tools } from '../restore/fetch-etcd2.ts';
import type { BackupEnv } from '../backup/take-backup.ts';
import { readLogExtent, type LogExtent } from './log-position.ts';
import type { LogPosition } from './wal-records.ts';

/** The only version of etcd 2 that kops's etcd-manager ran. The data does not name its version. */
const ETCD2_VERSION = '2.2.1';

/**
 * Backs up data of etcd 2 on which no etcd runs, in the form of kops (`etcdctl backup`, the folder `member` in a gzipped
 * tar). The backup is stored only if it reaches as far as the log and can be converted to etcd 3.
 *
 * @returns the name of the backup
 */
export async function backUpEtcd2(
  what: {
    readonly record: RestoreRecord;
    readonly stopped: StoppedData;
    readonly position: LogPosition;
    readonly member: string;
  },
  config: EtcdClusterConfig,
  env: Pick<BackupEnv, 'cluster' | 'store' | 'log'>,
  signal: AbortSignal,
): Promise<string> {
  const { record, stopped, position, member } = what;
  const startedMs = performance.now();
  const tools = await etcd2Tools(config, 'back up data of etcd 2');
  const key = await chooseBackupKey(config, env, signal);
  return withTemporaryFolder(volumeLayout(config.mountPoint).outgoing, async (folder) => {
    const copy = join(folder, 'copy');
    const data = dataFolder(config, stopped.token);
    const log = await readLogExtent(data);
    if (log.last.term !== position.term || log.last.index !== position.index) {
      throw new Error(`its log ends at ${print(log.last)}, but ended at ${print(position)} when the restore began`);
    }
    await tools.backUpEtcd2(data, copy, signal);
    refuseShorter(log, (await readLogExtent(copy)).last);
    // The tool of etcd 3 adds a database without the keys. etcd 2 has no database, and `migrate` makes its own.
    await rm(databasePathIn(copy), { force: true });
    const tar = join(folder, 'etcd2.tar');
    await execa('tar', ['--create', `--file=${tar}`, `--directory=${copy}`, 'member'], { cancelSignal: signal });
    await tools.migrate(copy, signal);
    const { revision, entries } = await tools.status(databasePathIn(copy), signal);
    await rm(copy, { recursive: true });
    const taken = {
      source: await snapshotFile(tar),
      takenMs: Date.parse(stopped.at),
      startedMs,
      spec: { memberCount: record.members.length, etcdVersion: ETCD2_VERSION },
      facts: { revision, entries, reason: `before ${record.reason}`, takenBy: member },
    };
    const target = { store: env.store, backupPath: config.backupPath, log: env.log, ...(key && { key }) };
    const { name } = await storeBackup(taken, target, signal);
    return name;
  });
}

/**
 * Throws if the copy lacks the end of the log: `etcdctl backup` stops silently at a record that it cannot read. It leaves
 * out the entries that name the members of the cluster and renumbers the others (etcdctl/ctlv2/command/backup_command.go,
 * loadWAL).
 */
function refuseShorter({ last, entriesOfMembers }: LogExtent, copied: LogPosition): void {
  const isWhole = copied.index >= last.index - entriesOfMembers && (copied.index === 0 || copied.term === last.term);
  if (!isWhole) throw new Error(`its copy ends at ${print(copied)}, and the log itself at ${print(last)}`);
}

function print({ term, index }: LogPosition): string {
  return `term ${term}, index ${index}`;
}
