import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { findBackup, listBackups } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import { join } from 'node:path';
import { snapshotTools } from '../backup/snapshot-tools.ts';
import { withTemporaryFolder } from '../backup/temporary-folder.ts';
import { fetchDatabase } from './fetch-database.ts';
import type { FetchEnv } from './fetch-snapshot.ts';

/**
 * How far beyond the last known revision a restored cluster begins. etcd's advice for --bump-revision (docs, "Disaster
 * recovery"): a billion is more than a week of 1,500 writes per second.
 */
const MARGIN = 1_000_000_000;

/** The revision at which all members begin: beyond every revision that a client may have seen, as far as is known. */
export async function revisionToRestoreTo(
  config: EtcdClusterConfig,
  record: RestoreRecord,
  backup: string,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<{ readonly lastRevision: number; readonly revision: number }> {
  // The newest is asked first, which is short: a backup that is fetched for its revision would be fetched on after a failure.
  const newest = await revisionOfNewest(config, env, signal);
  const restored = await revisionOfBackup(config, backup, env, signal);
  const lastRevision = Math.max(record.lastRevision ?? 0, restored, newest);
  return { lastRevision, revision: lastRevision + MARGIN };
}

/**
 * As `revisionToRestoreTo`, if the backup's facts name its revision, so that the restore can begin before the current data
 * is backed up. Whatever is written until then is far less than the margin. Empty if the revision is not known yet.
 */
export async function revisionKnownByNow(
  config: EtcdClusterConfig,
  { backup, lastRevision = 0 }: RestoreRecord,
  env: Pick<FetchEnv, 'store'>,
  signal: AbortSignal,
): Promise<Partial<Pick<RestoreRecord, 'lastRevision' | 'revision' | 'databaseBytes'>>> {
  if (backup === undefined) return {};
  const { facts } = (await findBackup(env.store, config.backupPath, backup, signal)) ?? {};
  if (facts === undefined) return {};
  const last = Math.max(lastRevision, facts.revision, await revisionOfNewest(config, env, signal));
  return { lastRevision: last, revision: last + MARGIN, databaseBytes: facts.databaseBytes };
}

async function revisionOfBackup(
  config: EtcdClusterConfig,
  name: string,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<number> {
  const known = (await findBackup(env.store, config.backupPath, name, signal))?.facts?.revision;
  if (known !== undefined) return known;
  // kops does not record the revision, so it is read from the snapshot itself.
  return withTemporaryFolder(join(config.mountPoint, 'restoring'), async (folder) => {
    const { path } = await fetchDatabase(name, folder, config, env, signal);
    const tools = await snapshotTools(config.binDir);
    return (await tools.status(path, signal)).revision;
  });
}

/** The revision of the newest backup: the last one known if no etcd answers any more. */
async function revisionOfNewest(
  config: EtcdClusterConfig,
  env: Pick<FetchEnv, 'store'>,
  signal: AbortSignal,
): Promise<number> {
  const newest = (await listBackups(env.store, config.backupPath, signal)).at(-1);
  if (newest === undefined) return 0;
  return (await findBackup(env.store, config.backupPath, newest.name, signal))?.facts?.revision ?? 0;
}
