import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ActionableError, codeOf, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { dataPath, findBackup, type BackupDetails } from '@kopsctl/state-store/etcd/list-backups.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { SnapshotChecksum } from '../backup/snapshot-checksum.ts';
import { DamagedError, decrypt, ENCRYPTION_SECRET, readBackupKey } from '../backup/encryption.ts';

export interface FetchEnv {
  readonly cluster: string;
  readonly backupPath: string;
  readonly store: StateStore;
  /** How much may be written to the volume; whatever fits, if absent. */
  readonly mostBytes?: number;
}

/** Each chunk switches threads. Sixteen times the default size saves two fifths of the time. */
const CHUNK_BYTES = 1024 * 1024;

/** Consumes the content of a backup, decrypted and decompressed. Resolves with what is wrong with it; undefined if nothing is. */
export type BackupSink = (chunks: AsyncIterable<Uint8Array>) => Promise<string | undefined>;

/**
 * A backup as a snapshot file. It matches the recorded hash and, unless that was verified for the same bytes before, the
 * checksum of etcd at its end.
 */
export interface FetchedSnapshot extends BackupDetails {
  readonly path: string;
}

/** Fetches a backup into a new file. @throws as `fetchBackup` does */
export async function fetchSnapshot(
  backup: BackupDetails,
  path: string,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<FetchedSnapshot> {
  await fetchBackup(backup, (chunks) => writeSnapshot(path, chunks, backup), env, signal);
  return { ...backup, path };
}

/** @throws UnusableBackupError if there is no such backup */
export async function findUsable(
  name: string,
  env: Pick<FetchEnv, 'backupPath' | 'store'>,
  signal: AbortSignal,
): Promise<BackupDetails> {
  const backup = await findBackup(env.store, env.backupPath, name, signal);
  if (backup === undefined) throw unusable(env, name, 'it does not exist, or was never finished');
  return backup;
}

/**
 * Streams a backup into `sink`, decrypted and decompressed. Memory does not grow with the backup.
 *
 * @throws UnusableBackupError if its data is missing or damaged
 * @throws ActionableError if it is encrypted and the key is missing or another one, or if it is larger than `env.mostBytes`
 */
export async function fetchBackup(
  backup: BackupDetails,
  sink: BackupSink,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<void> {
  const { name } = backup;
  const ended = new AbortController();
  try {
    const stored = await env.store.readStream(
      dataPath(env.backupPath, backup),
      AbortSignal.any([signal, ended.signal]),
    );
    if (stored === undefined) throw unusable(env, name, 'its data was removed');
    const hash = createHash('sha256');
    const chunks = await decrypted(backup, counted(stored.chunks, hash), env, signal);
    let fault: string | undefined;
    const unpack = async (unpacked: AsyncIterable<Uint8Array>): Promise<void> => {
      const room = { mostBytes: env.mostBytes ?? Number.POSITIVE_INFINITY, isExceeded: false };
      try {
        fault = await sink(within(room, unpacked));
      } catch (error) {
        if (!room.isExceeded) throw error;
      }
      // Whatever the sink has made of a stream that broke off.
      if (room.isExceeded) throw withoutRoom(env, name, room.mostBytes);
    };
    await pipeline(chunks, createGunzip({ chunkSize: CHUNK_BYTES }), unpack, { signal });
    const sha256 = hash.digest('hex');
    if (backup.facts !== undefined && backup.facts.sha256 !== sha256) {
      throw unusable(env, name, `its SHA-256 is ${sha256}, but was ${backup.facts.sha256} when it was stored`);
    }
    if (fault !== undefined) throw unusable(env, name, fault);
  } catch (error) {
    // An error of zlib means a damaged backup; any other may be the store's or the disk's.
    if (!signal.aborted && codeOf(error)?.startsWith('Z_') === true) throw unusable(env, name, messageOf(error), error);
    throw error;
  } finally {
    ended.abort();
  }
}

async function decrypted(
  backup: BackupDetails,
  chunks: AsyncIterable<Uint8Array>,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (!backup.isEncrypted) return chunks;
  const key = await readBackupKey(env.store, env.cluster, signal);
  if (key === undefined)
    throw withoutKey(env, backup.name, `it is encrypted, and there is no secret ${ENCRYPTION_SECRET}`);
  const wanted = backup.facts?.encryptionKeyId;
  if (wanted !== undefined && wanted !== key.id) {
    throw withoutKey(
      env,
      backup.name,
      `it was encrypted with the key ${wanted}, but the secret ${ENCRYPTION_SECRET} holds the key ${key.id}`,
    );
  }
  return blamed(decrypt(key, chunks), env, backup.name);
}

/** Turns an error of the cipher into one of the backup. */
async function* blamed(chunks: AsyncIterable<Uint8Array>, env: FetchEnv, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof DamagedError) throw unusable(env, name, error.message, error);
    throw error;
  }
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  hash: { update(bytes: Uint8Array): unknown },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

/** Breaks off when there is more than the room takes. */
async function* within(
  room: { readonly mostBytes: number; isExceeded: boolean },
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    room.isExceeded = bytes > room.mostBytes;
    if (room.isExceeded) throw new Error('there is no room for more');
    yield chunk;
  }
}

/** Writes the whole chunk, because one write may take only a part of it. */
async function writeWhole(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.byteLength;) {
    written += (await file.write(chunk, written)).bytesWritten;
  }
}

async function writeSnapshot(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { facts, verified }: BackupDetails,
): Promise<string | undefined> {
  // The checksum of etcd was verified when the backup was stored or verified, and the recorded hash shows that the bytes
  // are the same. Verifying it again would cost a third of a second for half a gigabyte, while the cluster waits.
  const isCompared = facts !== undefined && (facts.isChecked === true || verified?.ok === true);
  const checksum = isCompared ? undefined : new SnapshotChecksum();
  await using file = await open(path, 'wx', 0o600);
  for await (const chunk of chunks) {
    checksum?.update(chunk);
    await writeWhole(file, chunk);
    giveBack(chunk);
  }
  return checksum?.fault();
}

/**
 * Frees a buffer that zlib has filled, when this chunk is its last part. V8 would collect the whole heap for every 64 MB of
 * such buffers, which takes twice as long as decompressing them.
 */
function giveBack({ buffer, byteOffset, byteLength }: Uint8Array): void {
  // Small buffers are parts of Node's own pool, which has another size.
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== CHUNK_BYTES) return;
  if (byteOffset + byteLength === CHUNK_BYTES) buffer.transfer(0);
}

/** The backup itself is missing or damaged, so a retry cannot help. */
export class UnusableBackupError extends ActionableError {
  override readonly name = 'UnusableBackupError';
}

function unusable(
  env: Pick<FetchEnv, 'backupPath' | 'store'>,
  name: string,
  why: string,
  cause?: unknown,
): UnusableBackupError {
  return new UnusableBackupError({
    what: `use the backup ${env.store.url}/${env.backupPath}/${name}`,
    why,
    next: 'choose another backup: `kopsctl etcd list-backups` shows which ones were verified',
    ...(cause !== undefined && { cause }),
  });
}

/** The backup itself is good, but its key is missing. */
function withoutKey(env: FetchEnv, name: string, why: string): ActionableError {
  return new ActionableError({
    what: `decrypt the backup ${env.store.url}/${env.backupPath}/${name}`,
    why,
    next: `put back the key that it was encrypted with: \`kopsctl create secret ${ENCRYPTION_SECRET} -f FILE --force\``,
  });
}

/** The backup itself is good, but a volume that is full would stop etcd. */
function withoutRoom(env: FetchEnv, name: string, mostBytes: number): ActionableError {
  const gib = (mostBytes / 1024 ** 3).toFixed(1);
  return new ActionableError({
    what: `fetch the backup ${env.store.url}/${env.backupPath}/${name}`,
    why: `it is larger than the ${gib} GiB that the volume of etcd has to spare`,
    next: 'enlarge the volume, or shrink the database with `kopsctl etcd defrag`, and repeat the command',
  });
}
