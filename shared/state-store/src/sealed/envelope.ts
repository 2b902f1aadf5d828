import { createCipheriv, createDecipheriv } from 'node:crypto';
import { isRecord } from '@kopsctl/tasks/record.ts';
import type { SealedObject } from './state-key.ts';

/*
 * The format: one line of JSON and a newline. The object is encrypted with AES-256-GCM under a data key of its own, which
 * is in the envelope, wrapped by the key that the spec names. The additional data are the format, the name of that key,
 * the cluster and the path, so an envelope opens only where it was written, and says truly what it was sealed with.
 * Only the exact text that printEnvelope writes counts: no byte can be changed without being noticed.
 */
const FORMAT = 'kopsctl.io/envelope/v1';

export const DATA_KEY_BYTES = 32;
/** The length that GCM is made for. Each data key encrypts once. */
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Both are in every envelope, and neither is in a keyset or a secret of kops, whose content is in base64. */
const MARKS = ['"kopsctl.io/envelope/', '"wrappedKey":'] as const;

/** An object as it is stored: sealed. */
export interface Envelope {
  /** The name of the key that wrapped the data key. */
  readonly key: string;
  readonly wrappedKey: Uint8Array;
  readonly nonce: Uint8Array;
  /** The cipher text, and the tag behind it. */
  readonly sealed: Uint8Array;
}

/** The bytes are not an envelope that was sealed for this object with this data key. Says nothing about what they are. */
export class DamagedEnvelope extends Error {
  override readonly name = 'DamagedEnvelope';
}

export interface DataKey {
  readonly bytes: Uint8Array;
  readonly nonce: Uint8Array;
}

/** Encrypts an object. The data key and its nonce are random and used for nothing else. */
export function seal(
  plain: Uint8Array,
  object: SealedObject,
  key: { readonly name: string; readonly wrapped: Uint8Array; readonly data: DataKey },
): Envelope {
  const { bytes, nonce } = key.data;
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce);
  cipher.setAAD(boundTo(key.name, object));
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { key: key.name, wrappedKey: key.wrapped, nonce, sealed };
}

/** Decrypts an object. @throws DamagedEnvelope if a byte was changed, or it was sealed for another object or with another key */
export function unseal(envelope: Envelope, object: SealedObject, dataKey: Uint8Array): Uint8Array {
  const { key, nonce, sealed } = envelope;
  const tagAt = sealed.byteLength - TAG_BYTES;
  if (tagAt < 0 || nonce.byteLength !== NONCE_BYTES || dataKey.byteLength !== DATA_KEY_BYTES)
    throw new DamagedEnvelope('a part of the envelope has the wrong length');
  const decipher = createDecipheriv('aes-256-gcm', dataKey, nonce);
  decipher.setAAD(boundTo(key, object));
  decipher.setAuthTag(sealed.subarray(tagAt));
  const plain = decipher.update(sealed.subarray(0, tagAt));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    throw new DamagedEnvelope('it was changed, or sealed for another path, cluster or key');
  }
}

export function printEnvelope({ key, wrappedKey, nonce, sealed }: Envelope): Buffer {
  const line = JSON.stringify({
    format: FORMAT,
    key,
    wrappedKey: base64(wrappedKey),
    nonce: base64(nonce),
    sealed: base64(sealed),
  });
  return Buffer.from(`${line}\n`);
}

/** Undefined for an object in the clear. @throws DamagedEnvelope for something that was an envelope */
export function parseEnvelope(stored: Uint8Array): Envelope | undefined {
  const text = Buffer.from(stored).toString('utf8');
  if (!MARKS.some((mark) => text.includes(mark))) return undefined;
  const envelope = readEnvelope(text);
  if (envelope === undefined || !printEnvelope(envelope).equals(stored))
    throw new DamagedEnvelope('the format of the envelope is unknown');
  return envelope;
}

function readEnvelope(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { key, wrappedKey, nonce, sealed } = value;
  if (typeof key !== 'string' || typeof wrappedKey !== 'string') return undefined;
  if (typeof nonce !== 'string' || typeof sealed !== 'string') return undefined;
  const bytes = (encoded: string): Uint8Array => Buffer.from(encoded, 'base64');
  return { key, wrappedKey: bytes(wrappedKey), nonce: bytes(nonce), sealed: bytes(sealed) };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const boundTo = (key: string, { cluster, path }: SealedObject): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, key, cluster, path]));
