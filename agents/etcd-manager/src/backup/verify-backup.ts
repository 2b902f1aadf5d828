import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterConfig } from '@kopsctl/node-plan/agent-config.ts';
import {
  BACKUP_VERIFIED,
  parseBackupVerified,
  printJson,
  type BackupVerified,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { findBackup, lastStoredBackup, type BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import type { ClientFiles } from '../etcd/gateway.ts';
import { fetchDatabase } from '../restore/fetch-database.ts';
import { UnusableBackupError } from '../restore/fetch-snapshot.ts';
import { isAtLeast } from '../versions/at-least.ts';
import { readEverything } from './read-everything.ts';
import { snapshotTools, ToolEndedError } from './snapshot-tools.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { RefusedByEtcd, THROW_AWAY, withThrowAwayEtcd } from './throw-away-etcd.ts';
import { databaseBytesOn, spareBytesOf } from './volume-room.ts';

export interface VerifyEnv {
  readonly cluster: string;
  readonly store: StateStore;
  /** The name of this machine's member, for the record. */
  readonly by: string;
  /** If given, the temporary etcd requires certificates. Absent only in tests without any. */
  readonly files?: ClientFiles;
}

export type VerifyConfig = Pick<EtcdClusterConfig, 'backupPath' | 'binDir' | 'binaries' | 'etcdVersion' | 'mountPoint'>;

export type VerifiedBackup = BackupVerified & { readonly name: string };

/** This machine, and not the backup, is at fault. */
class CannotVerify extends Error {
  override readonly name = 'CannotVerify';
}

/**
 * Verifies a backup: fetches it, restores it into a temporary etcd, counts the keys, makes etcd read and hash all of it,
 * compares the result with the recorded facts, and writes it beside the backup. A backup that cannot be restored is a
 * result, not an error.
 *
 * @param name the backup; the newest one by default
 * @throws when nothing was found out, because the store or this machine is at fault
 */
export async function verifyBackup(
  name: string | undefined,
  config: VerifyConfig,
  env: VerifyEnv,
  signal: AbortSignal,
): Promise<VerifiedBackup> {
  const chosen = name ?? (await lastStoredBackup(env.store, config.backupPath, signal))?.name;
  if (chosen === undefined) throw new Error(`there is no backup in ${env.store.url}/${config.backupPath}`);
  const startedMs = performance.now();
  let found: Pick<BackupVerified, 'ok' | 'revision' | 'keys' | 'hash' | 'failure'>;
  let isDamaged = false;
  await refuseWithoutRoom(chosen, config, env, signal);
  try {
    found = { ok: true, ...(await restoreAndCompare(chosen, config, env, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof UnusableBackupError || error instanceof NotRestorable)) throw error;
    isDamaged = error instanceof UnusableBackupError;
    found = { ok: false, failure: error instanceof UnusableBackupError ? error.why : error.message };
  }
  const result = {
    ...found,
    at: new Date().toISOString(),
    by: env.by,
    durationMs: Math.round(performance.now() - startedMs),
  };
  await record(chosen, result, isDamaged, config.backupPath, env.store, signal);
  return { name: chosen, ...result };
}

/** The data of the backup is readable, but etcd cannot be restored from it. */
class NotRestorable extends Error {
  override readonly name = 'NotRestorable';
}

async function restoreAndCompare(
  name: string,
  config: VerifyConfig,
  env: VerifyEnv,
  signal: AbortSignal,
): Promise<Pick<BackupVerified, 'revision' | 'keys' | 'hash'>> {
  return withTemporaryFolder(join(config.mountPoint, 'verifying'), async (folder) => {
    const fetching = { cluster: env.cluster, backupPath: config.backupPath, store: env.store };
    const snapshot = await fetchDatabase(name, folder, config, fetching, signal);
    const dataDir = join(folder, 'data');
    await blame(async () => {
      const tools = await snapshotTools(config.binDir);
      compare(snapshot, await tools.status(snapshot.path, signal), config.etcdVersion);
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
          const read = await readEverything(etcd, signal);
          const known = snapshot.facts?.revision;
          if (known !== undefined && known !== read.revision) {
            throw new NotRestorable(
              `etcd serves revision ${read.revision} from it, but it was taken at revision ${known}`,
            );
          }
          return read;
        },
        signal,
      ),
    );
  });
}

/** Since this version `snapshot status` counts the keys that are there, and before it all entries (etcdutl: v3_snapshot.go). */
const COUNTS_KEYS = '3.6.0';

/** @param version the version of etcd whose tools have counted */
function compare(
  { facts, meta }: Pick<BackupDetails, 'facts' | 'meta'>,
  found: { readonly revision: number; readonly entries: number },
  version: string,
): void {
  if (facts === undefined) return;
  // The entries of a backup were counted with the tools of the version that its meta file names.
  const isComparable = isAtLeast(version, COUNTS_KEYS) === isAtLeast(meta.etcdVersion, COUNTS_KEYS);
  if (facts.revision === found.revision && (facts.entries === found.entries || !isComparable)) return;
  throw new NotRestorable(
    `it holds ${found.entries} entries up to revision ${found.revision}, but held ${facts.entries} up to ${facts.revision} when it was taken`,
  );
}

/**
 * Blames the backup for what etcd or its tools say about the data: a tool that exits with an error by itself, or an etcd that
 * does not start. Everything else (one that was killed, does not answer, or lacks room) is this machine's fault.
 */
async function blame<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotRestorable) throw error;
    const why = messageOf(error);
    const isVerdict =
      error instanceof RefusedByEtcd || (error instanceof ActionableError && !(error instanceof ToolEndedError));
    if (isVerdict && !MACHINE_FAULTS.test(why)) throw new NotRestorable(why, { cause: error });
    throw new CannotVerify(why, { cause: error });
  }
}

/** What etcd and its tools print when the machine is at fault. */
const MACHINE_FAULTS =
  /no space left|ENOSPC|cannot allocate|out of memory|ENOMEM|ENOENT|EACCES|too many open files|EMFILE|address already in use|input\/output error/i;

/** @throws CannotVerify if the volume lacks room for the snapshot and the data restored from it, beside etcd */
async function refuseWithoutRoom(
  name: string,
  config: VerifyConfig,
  env: VerifyEnv,
  signal: AbortSignal,
): Promise<void> {
  const facts = (await findBackup(env.store, config.backupPath, name, signal))?.facts;
  // kops does not record the size; the database that is there is about as large.
  const needBytes = 2 * (facts?.databaseBytes ?? (await databaseBytesOn(config)));
  const spareBytes = await spareBytesOf(config.mountPoint);
  if (spareBytes >= needBytes) return;
  const mib = (bytes: number): number => Math.max(0, Math.round(bytes / 1024 ** 2));
  throw new CannotVerify(
    `verifying ${name} needs ${mib(needBytes)} MiB, and ${config.mountPoint} has ${mib(spareBytes)} MiB to spare; enlarge the volume, or verify on another machine`,
  );
}

/**
 * Whether a result may be recorded over the one that is there. Once etcd was restored from these bytes, a failure of etcd or
 * its tools is not the backup's fault: only bytes that have changed, or can no longer be read, are.
 */
export function mayRecord(
  result: Pick<BackupVerified, 'ok'>,
  before: BackupVerified | undefined,
  isDamaged: boolean,
): boolean {
  return result.ok || isDamaged || before?.ok !== true;
}

async function record(
  name: string,
  result: BackupVerified,
  isDamaged: boolean,
  backupPath: string,
  store: StateStore,
  signal: AbortSignal,
): Promise<void> {
  const path = `${backupPath}/${name}/${BACKUP_VERIFIED}`;
  const there = await store.read(path, signal);
  if (!mayRecord(result, there && parseBackupVerified(there.bytes), isDamaged)) {
    throw new CannotVerify(
      `${name} was proven before, and has not changed since, but could not be restored now: ${result.failure ?? ''}`,
    );
  }
  const condition = ifUnchanged(there?.version);
  await store.write(path, Buffer.from(printJson(result)), condition, signal);
}
