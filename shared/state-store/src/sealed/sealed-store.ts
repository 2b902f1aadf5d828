import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { StateStore, Stored, WriteCondition } from '../store.ts';
import {
  DATA_KEY_BYTES,
  DamagedEnvelope,
  NONCE_BYTES,
  parseEnvelope,
  printEnvelope,
  seal,
  unseal,
} from './envelope.ts';
import { type OpenStateKey, type SealedObject, sealedObjectAt } from './state-key.ts';

/** How an object is to be stored. `as it is`: with the key of what it replaces, and a new one in the clear. */
export type Sealing = { readonly with: string } | 'in the clear' | 'as it is';

export interface SealedStoreOptions {
  readonly openKey: OpenStateKey;
  /** Asked before each write of an object that can be sealed. */
  readonly sealingOf: (cluster: string, signal: AbortSignal | undefined) => Promise<Sealing>;
}

/** For callers that replace objects of a cluster but do not decide about its key: what is sealed stays sealed. */
export const AS_IT_IS = async (): Promise<Sealing> => 'as it is';

/**
 * The store with keysets and secrets opened as they are read and sealed as they are written, so that their readers and
 * writers know nothing of it. Versions and conditions are those of the stored envelopes. Everything else passes through.
 */
export function openSealed(store: StateStore, { openKey, sealingOf }: SealedStoreOptions): StateStore {
  async function opened(path: string, object: SealedObject, stored: Stored, signal?: AbortSignal): Promise<Stored> {
    try {
      const envelope = parseEnvelope(stored.bytes);
      if (envelope === undefined) return stored;
      const key = await openKey(envelope.key, signal);
      const dataKey = await key.unwrap(envelope.wrappedKey, object, signal);
      return { bytes: unseal(envelope, object, dataKey), version: stored.version, sealedWith: envelope.key };
    } catch (thrown) {
      signal?.throwIfAborted();
      throw cannotOpen(store.url, path, thrown);
    }
  }

  async function sealed(
    object: SealedObject,
    bytes: Uint8Array,
    keyName: string,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const key = await openKey(keyName, signal);
    const data = { bytes: randomBytes(DATA_KEY_BYTES), nonce: randomBytes(NONCE_BYTES) };
    const wrapped = await key.wrap(data.bytes, object, signal);
    return printEnvelope(seal(bytes, object, { name: key.name, wrapped, data }));
  }

  /** The key with which an object is written; undefined: in the clear. */
  async function keyOfWrite(
    path: string,
    { cluster }: SealedObject,
    condition: WriteCondition,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const sealing = await sealingOf(cluster, signal);
    if (sealing === 'in the clear') return undefined;
    if (sealing !== 'as it is') return sealing.with;
    if ('ifAbsent' in condition) return undefined;
    const replaced = await store.read(path, signal);
    try {
      return replaced && parseEnvelope(replaced.bytes)?.key;
    } catch (thrown) {
      throw cannotOpen(store.url, path, thrown);
    }
  }

  async function write(
    path: string,
    object: SealedObject,
    bytes: Uint8Array,
    condition: WriteCondition,
    signal?: AbortSignal,
  ): Promise<{ version: string }> {
    const keyName = await keyOfWrite(path, object, condition, signal);
    const body = keyName === undefined ? bytes : await sealed(object, bytes, keyName, signal);
    return store.write(path, body, condition, signal);
  }

  return {
    url: store.url,

    async read(path, signal) {
      const stored = await store.read(path, signal);
      const object = sealedObjectAt(path);
      return stored === undefined || object === undefined ? stored : opened(path, object, stored, signal);
    },

    async write(path, bytes, condition, signal) {
      const object = sealedObjectAt(path);
      if (object === undefined) return store.write(path, bytes, condition, signal);
      return write(path, object, bytes, condition, signal);
    },

    async readStream(path, signal) {
      if (sealedObjectAt(path) === undefined) return store.readStream(path, signal);
      const stored = await this.read(path, signal);
      if (stored === undefined) return undefined;
      return { chunks: Readable.from([stored.bytes]), size: stored.bytes.byteLength, version: stored.version };
    },

    async writeStream(path, chunks, condition, signal) {
      const object = sealedObjectAt(path);
      if (object === undefined) return store.writeStream(path, chunks, condition, signal);
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) {
        signal?.throwIfAborted();
        parts.push(Uint8Array.from(chunk));
      }
      return write(path, object, Buffer.concat(parts), condition, signal);
    },

    delete: (path, condition, signal) => store.delete(path, condition, signal),
    list: (prefix, signal) => store.list(prefix, signal),
  };
}

function cannotOpen(url: string, path: string, thrown: unknown): ActionableError {
  const what = `open ${path} in ${url}`;
  if (thrown instanceof DamagedEnvelope) {
    return new ActionableError({
      what,
      why: `it is sealed, and cannot be what was written there: ${thrown.message}`,
      next: 'restore its last good version (in a bucket with versioning), or a copy of the store',
    });
  }
  const next = thrown instanceof ActionableError ? thrown.next : 'repeat the command';
  return new ActionableError({ what, why: messageOf(thrown), next, cause: thrown });
}
