import { Readable } from 'node:stream';
import { conflictOf } from './condition.ts';
import { checkPath, comparePaths, folderOfPrefix } from './path.ts';
import type { Entry, StateStore, WriteCondition } from './store.ts';
import { ConflictError } from './store.ts';
import { versionOfBytes } from './version-of-bytes.ts';

interface Held {
  readonly bytes: Uint8Array;
  readonly version: string;
  readonly modifiedMs: number;
}

/**
 * A store that lives as long as its process. Each operation is one synchronous step between reading and
 * changing the map, so conditional writes are atomic.
 */
export function createMemoryStore(options: { readonly url?: string; readonly now?: () => number } = {}): StateStore {
  const url = options.url ?? 'memory://';
  const now = options.now ?? Date.now;
  const objects = new Map<string, Held>();

  function write(path: string, bytes: Uint8Array, condition: WriteCondition): { version: string } {
    const conflict = conflictOf(condition, objects.get(path)?.version);
    if (conflict !== undefined) throw new ConflictError(url, path, conflict);
    const version = versionOfBytes(bytes);
    objects.set(path, { bytes: Uint8Array.from(bytes), version, modifiedMs: now() });
    return { version };
  }

  return {
    url,

    async read(path, signal) {
      signal?.throwIfAborted();
      checkPath(url, path);
      const held = objects.get(path);
      return held === undefined ? undefined : { bytes: Uint8Array.from(held.bytes), version: held.version };
    },

    async write(path, bytes, condition: WriteCondition, signal) {
      signal?.throwIfAborted();
      checkPath(url, path);
      return write(path, bytes, condition);
    },

    async readStream(path, signal) {
      const stored = await this.read(path, signal);
      if (stored === undefined) return undefined;
      return { chunks: Readable.from([stored.bytes]), size: stored.bytes.byteLength, version: stored.version };
    },

    async writeStream(path, chunks, condition, signal) {
      checkPath(url, path);
      const parts: Uint8Array[] = [];
      signal?.throwIfAborted();
      for await (const chunk of chunks) {
        signal?.throwIfAborted();
        parts.push(Uint8Array.from(chunk));
      }
      signal?.throwIfAborted();
      return write(path, Buffer.concat(parts), condition);
    },

    async delete(path, condition, signal) {
      signal?.throwIfAborted();
      checkPath(url, path);
      const held = objects.get(path);
      if (held === undefined) return;
      const conflict = condition === undefined ? undefined : conflictOf(condition, held.version);
      if (conflict !== undefined) throw new ConflictError(url, path, conflict);
      objects.delete(path);
    },

    async list(prefix, signal) {
      signal?.throwIfAborted();
      const folder = folderOfPrefix(url, prefix);
      const entries: Entry[] = [];
      for (const [path, held] of objects) {
        if (!path.startsWith(folder)) continue;
        entries.push({ path, size: held.bytes.byteLength, version: held.version, modifiedMs: held.modifiedMs });
      }
      return entries.sort((a, b) => comparePaths(a.path, b.path));
    },
  };
}
