import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import type { BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import { holdsEtcd2 } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { fetchEtcd2 } from './fetch-etcd2.ts';
import { fetchSnapshot, findUsable, type FetchEnv } from './fetch-snapshot.ts';

/** A backup as a file that etcd's tools can restore. */
export interface FetchedDatabase extends BackupDetails {
  readonly path: string;
  /** The file was converted from data of etcd 2, so it has no checksum. */
  readonly isMigrated: boolean;
  /** Deletes the file. */
  remove(): Promise<void>;
}

/** Fetches a backup of any version of etcd into a folder. @throws as `findUsable` and `fetchBackup` do */
export async function fetchDatabase(
  name: string,
  folder: string,
  config: Pick<EtcdClusterConfig, 'binDir' | 'binaries' | 'etcdVersion'>,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<FetchedDatabase> {
  const backup = await findUsable(name, env, signal);
  if (holdsEtcd2(backup.meta)) {
    const data = join(folder, 'etcd2');
    const fetched = await fetchEtcd2(backup, data, config, env, signal);
    return { ...fetched, isMigrated: true, remove: () => rm(data, { recursive: true }) };
  }
  const path = join(folder, 'snapshot.db');
  const fetched = await fetchSnapshot(backup, path, env, signal);
  return { ...fetched, isMigrated: false, remove: () => rm(path) };
}
