import type { Sha256Of } from '@kopsctl/model/assets/asset-catalog.ts';
import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { NamedFile } from '../assets/named-assets.ts';
import { type FileHashes, recordHashes } from './recorded-hashes.ts';

/** Where hashes of published files come from, each asked before the next. */
export interface HashSources {
  /** The table of this release. */
  readonly table: FileHashes;
  /** What the cluster has in its state store. */
  readonly recorded: FileHashes;
  /** Reads those of some files where they are published, by their first address. Undefined: no connection may be opened. */
  readonly read: ((assets: readonly PublishedAsset[]) => Promise<FileHashes>) | undefined;
}

export interface PinnedTasks {
  readonly tasks: readonly Task[];
  /** All published files that machines download for these tasks. User-data names the agents, and no task does. */
  readonly files: readonly NamedFile[];
  /** Files whose hashes were read for these tasks, because the table has none. */
  readonly read: readonly PublishedAsset[];
  /** Files whose hash nobody knows: machines refuse the plans that have them. */
  readonly unknown: readonly PublishedAsset[];
}

/** Stands in a plan where nobody knows the hash of a file. No program takes it for one. */
export const UNKNOWN_SHA256 = 'unknown';

/**
 * Works out tasks with the hash of everything that machines download. The model is asked what it needs a hash of, and
 * asked again once the hashes are read that neither the table nor the store has.
 */
export async function pinFiles(
  model: (sha256Of: Sha256Of) => readonly Task[],
  { table, recorded, read }: HashSources,
): Promise<PinnedTasks> {
  const known = new Map([...recorded, ...table]);
  const asked = new Map<string, PublishedAsset>();
  const hashAt = (address: string): string => known.get(address) ?? UNKNOWN_SHA256;
  const sha256Of: Sha256Of = (asset) => {
    const address = addressOf(asset);
    asked.set(address, asset);
    return hashAt(address);
  };
  const filesAsked = (): readonly NamedFile[] => [...asked.keys()].map((url) => ({ url, sha256: hashAt(url) }));
  const tasks = model(sha256Of);
  const unknown = [...asked].flatMap(([address, asset]) => (known.has(address) ? [] : [asset]));
  if (unknown.length === 0 || read === undefined) {
    return { tasks: [...tasks, ...recordHashes(recorded)], files: filesAsked(), read: [], unknown };
  }
  const found = await read(unknown);
  for (const [address, sha256] of found) known.set(address, sha256);
  return {
    tasks: [...model(sha256Of), ...recordHashes(new Map([...recorded, ...found]))],
    files: filesAsked(),
    read: unknown,
    unknown: [],
  };
}

/** What a file goes by in the table and in the store. */
export const addressOf = ({ urls }: PublishedAsset): string => urls[0] ?? '';
