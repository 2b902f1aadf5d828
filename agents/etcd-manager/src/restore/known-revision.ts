import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { BACKUP_FACTS, parseBackupFacts } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { findBackup, finishedBackups, lastStoredAmong } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { RestoreRecord } from '@kopsctl/state-store/etcd/restore-record.ts';
import type { RestoreEnv } from './restore-env.ts';

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
  env: Pick<RestoreEnv, 'store' | 'machine'>,
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
  env: Pick<RestoreEnv, 'store'>,
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
  env: Pick<RestoreEnv, 'store' | 'machine'>,
  signal: AbortSignal,
): Promise<number> {
  const known = (await findBackup(env.store, config.backupPath, name, signal))?.facts?.revision;
  return known ?? env.machine.fetchedRevision(name, signal);
}

/**
 * The revision of the newest backup: the last one known if no etcd answers any more. Clocks may have been ahead, and backups
 * copied in any order, so the newest by name counts as well as the one that was stored last. Only their facts are read: a
 * backup which nobody wants to restore cannot stop the restore of another one.
 */
async function revisionOfNewest(
  { backupPath }: EtcdClusterConfig,
  { store }: Pick<RestoreEnv, 'store'>,
  signal: AbortSignal,
): Promise<number> {
  const entries = await store.list(backupPath, signal);
  const byName = finishedBackups(entries, backupPath).at(-1);
  const lastStored = lastStoredAmong(entries, backupPath);
  let newest = 0;
  for (const name of new Set([byName?.name, lastStored?.name])) {
    const facts = name === undefined ? undefined : await store.read(`${backupPath}/${name}/${BACKUP_FACTS}`, signal);
    newest = Math.max(newest, (facts && parseBackupFacts(facts.bytes)?.revision) ?? 0);
  }
  return newest;
}
