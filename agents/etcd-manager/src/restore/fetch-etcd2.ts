import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { execa } from 'execa';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import type { BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import { snapshotTools, ToolEndedError, type SnapshotTools } from '../backup/snapshot-tools.ts';
import { binariesOf } from '../versions/reconcile-versions.ts';
import { fetchBackup, UnusableBackupError, type FetchEnv } from './fetch-snapshot.ts';

/**
 * Fetches a backup of etcd 2, that is, the output of `etcdctl backup` as kops packs it (etcd-manager pkg/etcd/backup.go: the
 * folder `member` in a gzipped tar), and converts its keys to version 3 with etcd's own tool. The version of every key
 * starts again at 1, and leases are lost.
 *
 * @throws UnusableBackupError if the backup cannot be converted
 */
export async function fetchEtcd2(
  backup: BackupDetails,
  folder: string,
  config: Pick<EtcdClusterConfig, 'binDir' | 'binaries' | 'etcdVersion'>,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<BackupDetails & { readonly path: string }> {
  const { name } = backup;
  const tools = await etcd2Tools(config, `convert the etcd 2 backup ${name}`);
  await mkdir(folder, { mode: 0o700 });
  await fetchBackup(backup, (chunks) => unpack(chunks, folder, signal), env, signal);
  await mkdir(join(folder, 'member', 'snap'), { recursive: true, mode: 0o700 });
  try {
    await access(join(folder, 'member', 'wal'));
    await tools.migrate(folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolEndedError) throw error;
    throw new UnusableBackupError({
      what: `use the backup ${env.store.url}/${env.backupPath}/${name}`,
      why: `it cannot be converted to etcd 3: ${messageOf(error)}`,
      next: 'choose another backup from `kopsctl etcd list-backups`',
      cause: error,
    });
  }
  return { ...backup, path: join(folder, 'member', 'snap', 'db') };
}

/** The tools of a version of etcd that can read data of etcd 2. @throws ActionableError if this machine has none */
export async function etcd2Tools(
  config: Pick<EtcdClusterConfig, 'binDir' | 'binaries' | 'etcdVersion'>,
  forWhat: string,
): Promise<SnapshotTools> {
  const tool = binariesOf(config).find(({ version }) => canMigrateEtcd2(version));
  if (tool !== undefined) return snapshotTools(tool.binDir);
  throw new ActionableError({
    what: forWhat,
    why: `only the etcdctl of etcd 3.3 and 3.4 can do that, and this machine has etcd ${config.etcdVersion}`,
    next: 'set spec.etcdClusters[].version to 3.4, apply, restore the backup, and upgrade from there',
  });
}

/** Unpacks a tar archive. GNU tar refuses names that lead out of the folder. Resolves with what is wrong with the archive. */
async function unpack(
  chunks: AsyncIterable<Uint8Array>,
  folder: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { failed, stderr } = await execa('tar', ['--extract', '--file=-', '--no-same-owner', `--directory=${folder}`], {
    input: Readable.from(chunks),
    cancelSignal: signal,
    reject: false,
  });
  signal.throwIfAborted();
  return failed ? `it is not a tar archive: ${stderr.trim().split('\n')[0] ?? ''}` : undefined;
}
