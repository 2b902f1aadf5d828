import { createHash } from 'node:crypto';
import type { Log } from '@kopsctl/agent/log.ts';
import { type Pace, tryAgain } from '@kopsctl/http/try-again.ts';
import {
  BACKUP_FACTS,
  BACKUP_META,
  backupName,
  printBackupMeta,
  printJson,
  type BackupFacts,
  type EtcdClusterSpec,
} from '@kopsctl/state-store/etcd/backup-layout.ts';
import { dataPath } from '@kopsctl/state-store/etcd/list-backups.ts';
import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { encrypt, type BackupKey } from './encryption.ts';
import { gzipSnapshot } from './gzip-snapshot.ts';
import { DamagedSnapshotError, type SnapshotSource } from './snapshot-source.ts';

/** A store that restarts or throttles recovers within these. The next scheduled backup tries again anyway. */
const PACE: Pace = { retries: 3, minTimeout: 1_000, factor: 4.5, maxTimeout: 20_000 };
/** An attempt may take as long as uploading the database at 1 MiB/s, and at least this long. */
const SHORTEST_TRY_MS = 5 * 60_000;
const SLOWEST_BYTES_PER_MS = (1024 * 1024) / 1000;

export interface TakenSnapshot {
  readonly source: SnapshotSource;
  readonly takenMs: number;
  /** When taking the backup began, by the monotonic clock. */
  readonly startedMs: number;
  readonly spec: EtcdClusterSpec;
  readonly facts: Pick<BackupFacts, 'revision' | 'entries' | 'reason' | 'takenBy'>;
}

export interface StoreBackupEnv {
  readonly store: StateStore;
  readonly backupPath: string;
  readonly key?: BackupKey;
  readonly log: Log;
  /** How often and how soon to try again; by default as above. */
  readonly pace?: Pace;
}

export interface StoredBackup {
  readonly name: string;
  readonly facts: BackupFacts;
}

/**
 * Streams a snapshot into the store, compressed and, if there is a key, encrypted. Then it writes the facts and last the
 * meta file, without which a backup does not count. An attempt that fails or takes too long is repeated a few times under
 * another name, and its remains are removed.
 *
 * @throws the error of the last attempt; DamagedSnapshotError at once
 */
export function storeBackup(taken: TakenSnapshot, env: StoreBackupEnv, signal: AbortSignal): Promise<StoredBackup> {
  return tryAgain(
    () => storeOnce(taken, env, signal),
    {
      pace: env.pace ?? PACE,
      isPassing: (error) => !isDamaged(error),
      onRetry: (error, inMs) => env.log.warn('could not store the backup, will retry', { error, inMs }),
    },
    signal,
  );
}

async function storeOnce(taken: TakenSnapshot, env: StoreBackupEnv, signal: AbortSignal): Promise<StoredBackup> {
  const databaseBytes = taken.source.bytes;
  const tryMs = Math.round(Math.max(SHORTEST_TRY_MS, databaseBytes / SLOWEST_BYTES_PER_MS));
  const name = await freeName(taken.takenMs, env, signal);
  try {
    const stored = await upload(taken.source, name, env, AbortSignal.any([signal, AbortSignal.timeout(tryMs)]));
    const facts = {
      ...stored,
      ...taken.facts,
      databaseBytes,
      ...(taken.source.isChecked && { isChecked: true }),
      durationMs: Math.round(performance.now() - taken.startedMs),
    };
    await commit(taken, name, facts, env, signal);
    return { name, facts };
  } catch (error) {
    signal.throwIfAborted();
    // On a conflict another machine has taken the name in the same moment, and the files are its backup.
    if (!(error instanceof ConflictError)) await removeRest(name, env, signal);
    throw error;
  }
}

/** A store reports a damaged snapshot as the cause of a failed write. */
function isDamaged(error: unknown): boolean {
  if (error instanceof DamagedSnapshotError) return true;
  return error instanceof Error && error.cause !== undefined && isDamaged(error.cause);
}

/** The first free name. kops counts within its process; two machines in the same second need a look at the store. */
async function freeName(takenMs: number, env: StoreBackupEnv, signal: AbortSignal): Promise<string> {
  for (let sequence = 0; ; sequence += 1) {
    const name = backupName(takenMs, sequence);
    if ((await env.store.list(`${env.backupPath}/${name}`, signal)).length === 0) return name;
  }
}

async function upload(
  source: SnapshotSource,
  name: string,
  env: StoreBackupEnv,
  signal: AbortSignal,
): Promise<Pick<BackupFacts, 'sha256' | 'storedBytes' | 'encryptionKeyId'>> {
  const hash = createHash('sha256');
  let storedBytes = 0;
  let isWhole = false;
  const compressed = gzipSnapshot(source, signal);
  const chunks = env.key === undefined ? compressed : encrypt(env.key, compressed);
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      storedBytes += chunk.byteLength;
      yield chunk;
    }
    isWhole = true;
  }
  const path = dataPath(env.backupPath, { name, isEncrypted: env.key !== undefined });
  await env.store.writeStream(path, counted(), { ifAbsent: true }, signal);
  // The size is compared before the backup counts, because a store may keep only a part.
  const [entry] = (await env.store.list(`${env.backupPath}/${name}`, signal)).filter((found) => found.path === path);
  if (!isWhole || entry?.size !== storedBytes) {
    const sent = isWhole ? `${storedBytes} bytes were sent to the store` : 'the upload was cut short';
    throw new Error(`${sent}, and it holds ${entry?.size ?? 0} bytes`);
  }
  return { sha256: hash.digest('hex'), storedBytes, ...(env.key && { encryptionKeyId: env.key.id }) };
}

async function commit(
  taken: TakenSnapshot,
  name: string,
  facts: BackupFacts,
  env: StoreBackupEnv,
  signal: AbortSignal,
): Promise<void> {
  const place = `${env.backupPath}/${name}`;
  const write = (path: string, text: string) =>
    env.store.write(`${place}/${path}`, Buffer.from(text), { ifAbsent: true }, signal);
  await write(BACKUP_FACTS, printJson(facts));
  await write(BACKUP_META, printBackupMeta(taken.spec, taken.takenMs));
}

/** Removes the meta file first, so that the rest does not count as a backup. Retention removes what cannot be removed now. */
async function removeRest(name: string, env: StoreBackupEnv, signal: AbortSignal): Promise<void> {
  const place = `${env.backupPath}/${name}`;
  const files = [`${place}/${BACKUP_META}`, `${place}/${BACKUP_FACTS}`];
  const data = [false, true].map((isEncrypted) => dataPath(env.backupPath, { name, isEncrypted }));
  try {
    for (const path of [...files, ...data]) await env.store.delete(path, undefined, signal);
  } catch (error) {
    signal.throwIfAborted();
    env.log.warn('could not remove an unfinished backup', { backup: place, error });
  }
}
