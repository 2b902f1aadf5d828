import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { execa } from 'execa';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { canMigrateEtcd2 } from '@kopsctl/state-store/etcd/check-restore.ts';
import type { BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import { snapshotTools, type SnapshotTools } from '../backup/snapshot-tools.ts';
import { binariesOf } from '../versions/reconcile-versions.ts';
import { fetchBackup, UnusableBackupError, type FetchEnv } from './fetch-snapshot.ts';

/**
 * Fetches a backup of etcd 2, which is what `etcdctl backup` writes, as kops packs it (etcd-manager pkg/etcd/backup.go:
 * the folder `member` in a gzipped tar), and has etcd's own tool make keys of version 3 of it. Each key begins anew with
 * version 1; what had a time to live has none any more.
 */
export async function fetchEtcd2(
  name: string,
  folder: string,
  config: Pick<EtcdClusterConfig, 'binDir' | 'binaries' | 'etcdVersion'>,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<BackupDetails & { readonly path: string }> {
  const tools = await etcd2Tools(config, `make keys of etcd 3 of the backup ${name}`);
  await mkdir(folder, { mode: 0o700 });
  const backup = await fetchBackup(name, (chunks) => unpack(chunks, folder, signal), env, signal);
  await mkdir(join(folder, 'member', 'snap'), { recursive: true, mode: 0o700 });
  try {
    await access(join(folder, 'member', 'wal'));
    await tools.migrate(folder, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new UnusableBackupError({
      what: `use the backup ${env.store.url}/${env.backupPath}/${name}`,
      why: `no keys of etcd 3 can be made of it: ${messageOf(error)}`,
      next: 'choose another one: `kopsctl etcd list-backups`',
      cause: error,
    });
  }
  return { ...backup, path: join(folder, 'member', 'snap', 'db') };
}

/** The programs of an etcd that reads data of etcd 2. */
export async function etcd2Tools(
  config: Pick<EtcdClusterConfig, 'binDir' | 'binaries' | 'etcdVersion'>,
  forWhat: string,
): Promise<SnapshotTools> {
  const tool = binariesOf(config).find(({ version }) => canMigrateEtcd2(version));
  if (tool !== undefined) return snapshotTools(tool.binDir);
  throw new ActionableError({
    what: forWhat,
    why: `only the etcdctl of etcd 3.3 and 3.4 can, and this machine has ${config.etcdVersion}`,
    next: 'set spec.etcdClusters[].version to 3.4, apply, restore the backup, then go up from there',
  });
}

/** GNU tar refuses names that lead out of the folder. */
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
  return failed ? `it is no tar archive: ${stderr.trim().split('\n')[0] ?? ''}` : undefined;
}
