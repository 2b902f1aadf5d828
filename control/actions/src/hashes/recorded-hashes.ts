import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { managedFile } from '@kopsctl/model/store/keysets.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';

/** The SHA-256 of files by the address where they are published. */
export type FileHashes = ReadonlyMap<string, string>;

/** Below the cluster's folder: what was once read, so that every later plan says the same. */
const FILE = 'file-hashes.json';

const schema = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits'));

/** The hashes that an earlier plan read, or that a person wrote down. */
export async function recordedHashes(store: StateStore, cluster: string): Promise<FileHashes> {
  const path = `${cluster}/${FILE}`;
  const stored = await store.read(path);
  if (stored === undefined) return new Map();
  try {
    return new Map(Object.entries(schema.parse(JSON.parse(new TextDecoder().decode(stored.bytes)))));
  } catch (cause) {
    throw new ActionableError({
      what: `read the hashes of files in ${store.url}/${path}`,
      why: messageOf(cause),
      next: 'make it an object that maps each address to a SHA-256 in hex, or delete it: the hashes are read again',
      cause,
    });
  }
}

/** Keeps hashes for later plans; nothing where there are none. */
export function recordHashes(hashes: FileHashes): readonly Task[] {
  if (hashes.size === 0) return [];
  const sorted = Object.fromEntries([...hashes].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return [managedFile('file-hashes', FILE, `${JSON.stringify(sorted, null, 2)}\n`)];
}
