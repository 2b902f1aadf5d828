import { Readable } from 'node:stream';
import { comparePaths, folderOfPrefix } from '@kopsctl/state-store/path.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { versionOfBytes } from '@kopsctl/state-store/version-of-bytes.ts';

/** An object as it is going to be stored. */
export interface PendingObject {
  readonly path: string;
  readonly text: string;
}

/**
 * The store as it stands once these objects are written, for reading only: what they lead to can be worked out, and
 * refused, before anything is stored.
 */
export function storeWithChanges(store: StateStore, changes: readonly PendingObject[]): StateStore {
  const pending = new Map(changes.map(({ path, text }) => [path, new TextEncoder().encode(text)]));
  const refuse = (path: string): never => {
    throw new Error(`${path} cannot be written: this store only shows what would be stored`);
  };
  return {
    url: store.url,
    async read(path, signal) {
      const bytes = pending.get(path);
      return bytes === undefined ? store.read(path, signal) : { bytes, version: versionOfBytes(bytes) };
    },
    async readStream(path, signal) {
      const bytes = pending.get(path);
      if (bytes === undefined) return store.readStream(path, signal);
      return { chunks: Readable.from([bytes]), size: bytes.byteLength, version: versionOfBytes(bytes) };
    },
    async list(prefix, signal) {
      const folder = folderOfPrefix(store.url, prefix);
      const stored = (await store.list(prefix, signal)).filter(({ path }) => !pending.has(path));
      const added = [...pending]
        .filter(([path]) => path.startsWith(folder))
        .map(([path, bytes]) => ({ path, size: bytes.byteLength, version: versionOfBytes(bytes), modifiedMs: 0 }));
      return [...stored, ...added].toSorted((a, b) => comparePaths(a.path, b.path));
    },
    write: async (path) => refuse(path),
    writeStream: async (path) => refuse(path),
    delete: async (path) => refuse(path),
  };
}
