import { join } from 'node:path';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { askEtcd } from '../etcd/ask-etcd.ts';
import { clientFiles } from '../etcd/certificates.ts';
import { clientUrl, volumeLayout } from '../etcd/settings.ts';
import { chooseBackupKey } from './choose-key.ts';
import { checkedSnapshot } from './snapshot-source.ts';
import { snapshotTools } from './snapshot-tools.ts';
import { storeBackup, type StoredBackup } from './store-backup.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { databaseBytesOn, spareBytesOf } from './volume-room.ts';

/** etcd on the same machine sends half a gigabyte in three seconds, so one that takes longer than this does not answer. */
const SNAPSHOT_TIMEOUT_MS = 10 * 60_000;

export interface BackupEnv {
  /** The cluster's name, e.g. `demo.example.com`. Its secrets may hold a key for backups. */
  readonly cluster: string;
  /** The address of the etcd to take the snapshot from. */
  readonly address: string;
  readonly store: StateStore;
  readonly log: Log;
}

export interface BackupRequest {
  /** This machine's member. */
  readonly member: string;
  readonly memberCount: number;
  /** Why the backup is taken, for people, e.g. `scheduled`. */
  readonly reason: string;
}

export type TakeBackup = typeof takeBackup;

/**
 * Takes a backup of etcd and stores it in kops's layout. Resolves once the backup counts. Call it before every change
 * that could lose data, and do not make the change if it throws.
 *
 * Memory does not grow with the database: the snapshot is a file on etcd's own volume, which must have room for it, and is
 * streamed from there.
 *
 * @throws ActionableError if the volume lacks room
 */
export async function takeBackup(
  config: EtcdClusterConfig,
  request: BackupRequest,
  env: BackupEnv,
  signal: AbortSignal,
): Promise<StoredBackup> {
  // `etcdctl snapshot save` waits forever for an etcd that is down, and a restore after a lost quorum would wait with it.
  await askEtcd(env.address, config, (etcd) => etcd.status(signal));
  const key = await chooseBackupKey(config, env, signal);
  const tools = await snapshotTools(config.binDir);
  return withTemporaryFolder(volumeLayout(config.mountPoint).outgoing, async (folder) => {
    await refuseWithoutRoom(config);
    const path = join(folder, 'snapshot.db');
    const [takenMs, startedMs] = [Date.now(), performance.now()];
    const limited = AbortSignal.any([signal, AbortSignal.timeout(SNAPSHOT_TIMEOUT_MS)]);
    const endpoint = clientUrl(config, env.address);
    await tools.save(endpoint, clientFiles(config.mountPoint), path, limited);
    const { revision, entries } = await tools.status(path, limited);
    const spec = { memberCount: request.memberCount, etcdVersion: config.etcdVersion };
    const facts = { revision, entries, reason: request.reason, takenBy: request.member };
    const target = { store: env.store, backupPath: config.backupPath, log: env.log, ...(key && { key }) };
    return storeBackup({ source: await checkedSnapshot(path), takenMs, startedMs, spec, facts }, target, signal);
  });
}

/** A snapshot that fills the volume would stop etcd. */
async function refuseWithoutRoom(config: EtcdClusterConfig): Promise<void> {
  const [spareBytes, needBytes] = await Promise.all([spareBytesOf(config.mountPoint), databaseBytesOn(config)]);
  if (spareBytes >= needBytes) return;
  const gib = (bytes: number) => `${(Math.max(0, bytes) / 1024 ** 3).toFixed(1)} GiB`;
  throw new ActionableError({
    what: `back up etcd ${config.name}`,
    why: `a snapshot needs ${gib(needBytes)}, and ${config.mountPoint} has ${gib(spareBytes)} to spare`,
    next: 'enlarge the volume, or shrink the database with `kopsctl etcd defrag`',
  });
}
