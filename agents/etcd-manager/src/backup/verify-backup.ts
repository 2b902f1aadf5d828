import { join } from 'node:path';
import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import { BACKUP_VERIFIED, printJson, type BackupVerified } from '@kopsctl/state-store/etcd/backup-layout.ts';
import { listBackups, type BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { ClientFiles } from '../etcd/client.ts';
import { fetchDatabase } from '../restore/fetch-database.ts';
import { UnusableBackupError } from '../restore/fetch-snapshot.ts';
import { snapshotTools } from './snapshot-tools.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { THROW_AWAY, withThrowAwayEtcd } from './throw-away-etcd.ts';

export interface VerifyEnv {
  readonly cluster: string;
  readonly store: StateStore;
  /** This machine's member, for the record. */
  readonly by: string;
  /** With these the throw-away etcd asks its clients for a certificate; absent only where there are none at all. */
  readonly files?: ClientFiles;
}

export type ProvingConfig = Pick<
  EtcdClusterConfig,
  'backupPath' | 'binDir' | 'binaries' | 'etcdVersion' | 'mountPoint'
>;

export type VerifiedBackup = BackupVerified & { readonly name: string };

/** What is wrong with this machine and not with the backup: it is not held against the backup. */
class CannotVerify extends Error {
  override readonly name = 'CannotVerify';
}

/**
 * Proves a backup: fetches it, restores it into a throw-away etcd, has etcd read and hash all of it, counts the keys,
 * compares that with what is known, and records the result beside the backup. Without a name the newest one. Throws
 * when nothing could be found out (the store or the disk is at fault); a backup that is no good is a result.
 */
export async function verifyBackup(
  name: string | undefined,
  config: ProvingConfig,
  env: VerifyEnv,
  signal: AbortSignal,
): Promise<VerifiedBackup> {
  const chosen = name ?? (await listBackups(env.store, config.backupPath, signal)).at(-1)?.name;
  if (chosen === undefined) throw new Error(`${env.store.url}/${config.backupPath} holds no backup`);
  const startedMs = performance.now();
  let found: Pick<BackupVerified, 'ok' | 'revision' | 'keys' | 'hash' | 'failure'>;
  try {
    found = { ok: true, ...(await prove(chosen, config, env, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UnusableBackupError || error instanceof NotRestorable)) throw error;
    found = { ok: false, failure: error instanceof UnusableBackupError ? error.why : error.message };
  }
  const result = {
    ...found,
    at: new Date().toISOString(),
    by: env.by,
    durationMs: Math.round(performance.now() - startedMs),
  };
  await record(chosen, result, config.backupPath, env.store, signal);
  return { name: chosen, ...result };
}

/** The backup's data could be read, but no etcd can be made of it. */
class NotRestorable extends Error {
  override readonly name = 'NotRestorable';
}

async function prove(
  name: string,
  config: ProvingConfig,
  env: VerifyEnv,
  signal: AbortSignal,
): Promise<Pick<BackupVerified, 'revision' | 'keys' | 'hash'>> {
  return withTemporaryFolder(join(config.mountPoint, 'verifying'), async (folder) => {
    const fetching = { cluster: env.cluster, backupPath: config.backupPath, store: env.store };
    const snapshot = await fetchDatabase(name, folder, config, fetching, signal);
    const dataDir = join(folder, 'data');
    await blame(async () => {
      const tools = await snapshotTools(config.binDir);
      compare(snapshot, await tools.status(snapshot.path, signal));
      await tools.restore(
        {
          snapshot: snapshot.path,
          dataDir,
          name: THROW_AWAY.name,
          peerUrl: THROW_AWAY.peerUrl,
          initialCluster: `${THROW_AWAY.name}=${THROW_AWAY.peerUrl}`,
          token: 'throw-away',
          isChecked: snapshot.isMigrated,
        },
        signal,
      );
    });
    const request = { binDir: config.binDir, dataDir };
    return blame(() =>
      withThrowAwayEtcd(
        { ...request, ...(env.files && { files: env.files }) },
        async (etcd) => {
          const hash = await etcd.hashKeys(signal);
          const { keys, revision } = await etcd.countKeys(signal);
          const known = snapshot.facts?.revision;
          if (known !== undefined && known !== revision) {
            throw new NotRestorable(`etcd serves revision ${revision} from it, and it was taken at ${known}`);
          }
          return { revision, keys, hash };
        },
        signal,
      ),
    );
  });
}

function compare(
  { facts }: Pick<BackupDetails, 'facts'>,
  found: { readonly revision: number; readonly entries: number },
): void {
  if (facts === undefined) return;
  if (facts.revision === found.revision && facts.entries === found.entries) return;
  throw new NotRestorable(
    `it holds ${found.entries} entries up to revision ${found.revision}, and held ${facts.entries} up to ${facts.revision}`,
  );
}

/** What etcd and its tools say is the backup's fault, but for a full disk. */
async function blame<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotRestorable) throw error;
    const why = messageOf(error);
    if (/no space left|ENOSPC|cannot allocate|ENOENT|EACCES/i.test(why)) throw new CannotVerify(why, { cause: error });
    throw new NotRestorable(why, { cause: error });
  }
}

async function record(
  name: string,
  result: BackupVerified,
  backupPath: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  const path = `${backupPath}/${name}/${BACKUP_VERIFIED}`;
  const there = await store.read(path, signal);
  const condition = there === undefined ? ({ ifAbsent: true } as const) : { ifVersion: there.version };
  await store.write(path, Buffer.from(printJson(result)), condition, signal);
}
