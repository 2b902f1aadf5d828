import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  type CipherGCM,
  type DecipherGCM,
} from 'node:crypto';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { parseBackupKey } from '@kopsctl/state-store/etcd/backup-key.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';

/** The name of the secret (32 random bytes) with which backups are encrypted. */
export const ENCRYPTION_SECRET = 'etcd-backup-key';

export interface BackupKey {
  /** The first half of the key's SHA-256, which identifies the key without revealing it. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads the key of this cluster's backups.
 *
 * @returns undefined if there is none
 * @throws ActionableError if the secret is not a key of 32 bytes
 */
export async function readBackupKey(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<BackupKey | undefined> {
  const path = secretPath(cluster, ENCRYPTION_SECRET);
  const stored = await store.read(path, signal);
  if (stored === undefined) return undefined;
  const raw = parseSecret(stored.bytes) ?? Buffer.alloc(0);
  const bytes = parseBackupKey(raw);
  if (bytes !== undefined) return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes };
  throw new ActionableError({
    what: `read the key of the backups from ${path}`,
    why: `it holds ${raw.byteLength} bytes, and AES-256 needs 32`,
    next: 'replace the secret with the output of `openssl rand -hex 32`, or turn encryption off in the spec (ETCD_MANAGER_BACKUP_ENCRYPTION=none)',
  });
}

/*
 * The format: 8 bytes of magic, 8 random bytes, then frames. A frame holds 1 MiB of plain text, the last one less (or
 * nothing): 4 bytes of length, whose highest bit is set in the last frame; the cipher text; 16 bytes of tag. Each frame is
 * AES-256-GCM with the nonce `random bytes, number of the frame` and its length field as additional data. So frames cannot be
 * exchanged or cut off unnoticed, and a file of any size is processed frame by frame.
 */
const MAGIC = Buffer.from('KOPSENC1', 'latin1');
const SALT_BYTES = 8;
const TAG_BYTES = 16;
const FRAME_BYTES = 1024 * 1024;
const LAST = 0x8000_0000;

/** The encrypted bytes were changed, or were encrypted with another key. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

/** Encrypts a stream. Memory does not grow with it. */
export async function* encrypt(key: BackupKey, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  yield Buffer.concat([MAGIC, salt]);
  let count = 0;
  const seal = (plain: Uint8Array, isLast: boolean): Buffer => {
    const header = headerOf(plain.byteLength, isLast);
    const cipher: CipherGCM = createCipheriv('aes-256-gcm', key.bytes, nonceOf(salt, count++));
    cipher.setAAD(header);
    return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  await using reader = new Reader(chunks);
  for (;;) {
    const plain = await reader.take(FRAME_BYTES);
    const isLast = plain.byteLength < FRAME_BYTES;
    yield seal(plain, isLast);
    if (isLast) return;
  }
}

/** Decrypts a stream that `encrypt` has made. Yields only authenticated bytes. @throws DamagedError */
export async function* decrypt(key: BackupKey, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await using reader = new Reader(chunks);
  const start = await reader.take(MAGIC.byteLength + SALT_BYTES);
  if (!start.subarray(0, MAGIC.byteLength).equals(MAGIC)) throw new DamagedError('it is not an encrypted backup');
  const salt = start.subarray(MAGIC.byteLength);
  for (let count = 0; ; count += 1) {
    const header = await reader.take(4);
    if (header.byteLength < 4) throw new DamagedError('the encrypted backup ends early');
    const field = header.readUInt32BE();
    const isLast = field >= LAST;
    const length = isLast ? field - LAST : field;
    if (length > FRAME_BYTES) throw new DamagedError('the encrypted backup is damaged: a frame is too long');
    const sealed = await reader.take(length + TAG_BYTES);
    if (sealed.byteLength < length + TAG_BYTES) throw new DamagedError('the encrypted backup ends early');
    const decipher: DecipherGCM = createDecipheriv('aes-256-gcm', key.bytes, nonceOf(salt, count));
    decipher.setAAD(header);
    decipher.setAuthTag(sealed.subarray(length));
    const plain = decipher.update(sealed.subarray(0, length));
    try {
      decipher.final();
    } catch (cause) {
      throw new DamagedError('the encrypted backup is damaged, or it was encrypted with another key', { cause });
    }
    yield plain;
    if (isLast) return;
  }
}

function headerOf(length: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(isLast ? LAST + length : length);
  return header;
}

function nonceOf(salt: Uint8Array, count: number): Buffer {
  const nonce = Buffer.alloc(SALT_BYTES + 4);
  nonce.set(salt);
  nonce.writeUInt32BE(count, SALT_BYTES);
  return nonce;
}

/** Cuts a stream into pieces of the requested size. Only the last piece may be shorter. */
class Reader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #heldBytes = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(bytes: number): Promise<Buffer> {
    while (this.#heldBytes < bytes) {
      const next = await this.#chunks.next();
      if (next.done === true) break;
      this.#held.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
      this.#heldBytes += next.value.byteLength;
    }
    const all = this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held);
    const taken = all.subarray(0, bytes);
    this.#held = [all.subarray(taken.byteLength)];
    this.#heldBytes = all.byteLength - taken.byteLength;
    return taken;
  }

  /** Closes the stream: nobody may have read it to its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }
}
