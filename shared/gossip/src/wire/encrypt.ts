import { createCipheriv, createDecipheriv, type CipherGCMTypes } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** memberlist's two encryption versions: 0 adds PKCS #7 padding, for peers of protocol 1; 1 does not. */
export type EncryptionVersion = 0 | 1;

const VERSION_BYTES = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const BLOCK_BYTES = 16;
/** What version 1 adds to a message. */
export const ENCRYPTION_BYTES = VERSION_BYTES + NONCE_BYTES + TAG_BYTES;

const CIPHERS: Readonly<Record<number, CipherGCMTypes>> = { 16: 'aes-128-gcm', 24: 'aes-192-gcm', 32: 'aes-256-gcm' };

/** Whether the bytes have the length of an AES key: 16, 24 or 32. */
export function isKey(bytes: Uint8Array): boolean {
  return bytes.length in CIPHERS;
}

export interface Sealing {
  readonly key: Uint8Array;
  /** 12 random bytes, used once. */
  readonly nonce: Uint8Array;
  /** Data that is authenticated but not encrypted. */
  readonly authenticated: Uint8Array;
  readonly version?: EncryptionVersion;
}

/** Returns version, nonce, ciphertext and tag. */
export function encrypted(message: Uint8Array, sealing: Sealing): Uint8Array {
  const { key, nonce, authenticated, version = 1 } = sealing;
  const cipher = createCipheriv(cipherFor(key), key, nonce, { authTagLength: TAG_BYTES }).setAAD(authenticated);
  const parts = [Uint8Array.of(version), nonce, cipher.update(message)];
  if (version === 0) parts.push(cipher.update(padding(message.length)));
  parts.push(cipher.final(), cipher.getAuthTag());
  return Buffer.concat(parts);
}

/** Decrypts with whichever key fits. Throws Refusal if none does. */
export function decrypted(bytes: Uint8Array, keys: readonly Uint8Array[], authenticated: Uint8Array): Uint8Array {
  const version = bytes[0];
  if (version !== 0 && version !== 1) throw new Refusal('not-encrypted', `encryption version ${version} is unknown`);
  const end = bytes.length - TAG_BYTES;
  const from = VERSION_BYTES + NONCE_BYTES;
  if (end < from) throw new Refusal('truncated', 'the message is too short to be encrypted');
  const nonce = bytes.subarray(VERSION_BYTES, from);
  for (const key of keys) {
    const decipher = createDecipheriv(cipherFor(key), key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated).setAuthTag(bytes.subarray(end));
    const plain = decipher.update(bytes.subarray(from, end));
    try {
      decipher.final();
    } catch {
      // The tag does not match this key. `final` fails for no other reason.
      continue;
    }
    return version === 0 ? withoutPadding(plain) : plain;
  }
  throw new Refusal('wrong-key', 'encrypted with a key that is not in the ring');
}

function cipherFor(key: Uint8Array): CipherGCMTypes {
  const cipher = CIPHERS[key.length];
  if (cipher === undefined) throw new Error(`a key must have 16, 24 or 32 bytes, not ${key.length}`);
  return cipher;
}

function padding(length: number): Uint8Array {
  const bytes = BLOCK_BYTES - (length % BLOCK_BYTES);
  return new Uint8Array(bytes).fill(bytes);
}

function withoutPadding(plain: Uint8Array): Uint8Array {
  const bytes = plain.at(-1) ?? 0;
  if (bytes < 1 || bytes > BLOCK_BYTES || bytes > plain.length) {
    throw new Refusal('malformed', 'the padding is invalid');
  }
  return plain.subarray(0, plain.length - bytes);
}
