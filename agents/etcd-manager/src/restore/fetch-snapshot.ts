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
}

/** Each costs some changes between threads: sixteen times the usual size saves two fifths of the time. */
const CHUNK_BYTES = 1024 * 1024;

/** Takes in what a backup holds, decrypted and decompressed. Resolves with what is wrong with it. */
export type BackupSink = (chunks: AsyncIterable<Uint8Array>, backup: BackupDetails) => Promise<string | undefined>;

/**
 * A backup as a snapshot file, compared with the hash that was recorded of it, and with etcd's own at its end unless
 * that was done with the same bytes before.
 */
export interface FetchedSnapshot extends BackupDetails {
  readonly path: string;
}

/** Fetches a backup into a new file. */
export async function fetchSnapshot(
  name: string,
  path: string,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<FetchedSnapshot> {
  const backup = await fetchBackup(name, (chunks, found) => writeSnapshot(path, chunks, found), env, signal);
  return { ...backup, path };
}

/** Fetches a backup, decrypted and decompressed on the way. Memory stays flat whatever its size. */
export async function fetchBackup(
  name: string,
  sink: BackupSink,
  env: FetchEnv,
  signal: AbortSignal,
): Promise<BackupDetails> {
  const backup = await findBackup(env.store, env.backupPath, name, signal);
  if (backup === undefined) throw unusable(env, name, 'it is not there, or was never finished');
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
      fault = await sink(unpacked, backup);
    };
    await pipeline(chunks, createGunzip({ chunkSize: CHUNK_BYTES }), unpack, { signal });
    const sha256 = hash.digest('hex');
    if (backup.facts !== undefined && backup.facts.sha256 !== sha256) {
      throw unusable(env, name, `its SHA-256 is ${sha256}, and was ${backup.facts.sha256} when it was stored`);
    }
    if (fault !== undefined) throw unusable(env, name, fault);
    return backup;
  } catch (error) {
    // What zlib says of the bytes is the backup's fault; all else may be the store's or the disk's.
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
      `it was encrypted with the key ${wanted}, and ${ENCRYPTION_SECRET} is ${key.id}`,
    );
  }
  return blamed(decrypt(key, chunks), env, backup.name);
}

/** What the cipher says of the bytes is the backup's fault too. */
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

/** A write may take a part of what it is given. */
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
  // Who stored it, or a proof, has compared etcd's own hash; bytes of the recorded hash are the ones that it had (a third
  // of a second for half a gigabyte, which the cluster would wait for).
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
 * Frees the memory that zlib has filled, once all of it was used: this chunk is its last. Left to V8, every 64 MB of it
 * are a collection of the whole heap, which take twice the time of decompressing.
 */
function giveBack({ buffer, byteOffset, byteLength }: Uint8Array): void {
  // Node's own pool, from which small buffers are cut, has another size.
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== CHUNK_BYTES) return;
  if (byteOffset + byteLength === CHUNK_BYTES) buffer.transfer(0);
}

/** The backup itself cannot be used, whatever one does. */
export class UnusableBackupError extends ActionableError {
  override readonly name = 'UnusableBackupError';
}

function unusable(env: FetchEnv, name: string, why: string, cause?: unknown): UnusableBackupError {
  return new UnusableBackupError({
    what: `use the backup ${env.store.url}/${env.backupPath}/${name}`,
    why,
    next: 'choose another one: `kopsctl etcd list-backups` says which were proven',
    ...(cause !== undefined && { cause }),
  });
}

/** Not the backup's fault: with its key it is as good as ever. */
function withoutKey(env: FetchEnv, name: string, why: string): ActionableError {
  return new ActionableError({
    what: `decrypt the backup ${env.store.url}/${env.backupPath}/${name}`,
    why,
    next: `put the key it was encrypted with back: \`kopsctl create secret ${ENCRYPTION_SECRET} -f FILE --force\``,
  });
}
