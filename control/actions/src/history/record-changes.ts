import type { StateStore } from '@kopsctl/state-store/store.ts';
import { againOnConflict } from '@kopsctl/state-store/again-on-conflict.ts';
import { inParallel } from '../store/in-parallel.ts';
import { historyFolder } from './history-folder.ts';
import {
  type ChangeAuthor,
  changePath,
  numberIn,
  objectRecord,
  objectRecordPath,
  printChange,
  printObjectRecord,
} from './spec-change.ts';

/** More than anybody reads. With two texts of each object that was written, those of a large cluster take some megabytes. */
const KEPT_CHANGES = 100;
/** Each is with somebody else who began to change the same cluster at the same moment. */
const MAX_CONFLICTS = 20;

/** A change of this process, and the objects that it has a record of. */
interface OpenChange {
  readonly number: number;
  readonly paths: Set<string>;
}

/**
 * The store, with a history of what is written to specs through it. The text that an object had is recorded before it is
 * written over, so that no interruption loses it; a write that fails is taken out of the history again.
 */
export function recordChanges(store: StateStore, author: ChangeAuthor): StateStore {
  const changes = new Map<string, Promise<OpenChange>>();

  /**
   * The change that has the record of an object: the one of the whole command, as long as it has none of that object and
   * nobody has begun a later change. An upgrade, say, writes the Cluster several times, hours apart. The object has to be
   * read before: whoever writes it after that check makes the write of this process fail.
   */
  async function changeFor(cluster: string, path: string): Promise<OpenChange> {
    for (;;) {
      const known = changes.get(cluster);
      const change = await known;
      if (change !== undefined && (await isLatest(store, cluster, change.number)) && !change.paths.has(path)) {
        change.paths.add(path);
        return change;
      }
      // Otherwise another write of this process has begun the next change in the meantime, and this one may belong to it.
      if (changes.get(cluster) === known) {
        const begun = beginChange(store, cluster, author).then((number) => ({ number, paths: new Set([path]) }));
        changes.set(cluster, begun);
        return begun;
      }
    }
  }

  async function recorded<Result>(
    path: string,
    after: string | undefined,
    carryOut: () => Promise<Result>,
  ): Promise<Result> {
    const place = specPlace(path);
    if (place === undefined) return carryOut();
    const before = await textAt(store, path);
    if (before === after) return carryOut();
    const change = await changeFor(place.cluster, place.path);
    const recordPath = objectRecordPath(place.cluster, change.number, place.path);
    const record = printObjectRecord(objectRecord(place.path, before ?? null, after ?? null));
    try {
      await store.write(recordPath, new TextEncoder().encode(record), { ifAbsent: true });
      return await carryOut();
    } catch (error) {
      if (await wroteNothing(store, path, after)) {
        await store.delete(recordPath).then(
          () => change.paths.delete(place.path),
          // The failure of the write is what a person can act on. The record that is left says that it may be of an interruption.
          () => {},
        );
      }
      throw error;
    }
  }

  return {
    url: store.url,
    read: (path, signal) => store.read(path, signal),
    readStream: (path, signal) => store.readStream(path, signal),
    list: (prefix, signal) => store.list(prefix, signal),
    write: (path, bytes, condition, signal) =>
      recorded(path, new TextDecoder().decode(bytes), () => store.write(path, bytes, condition, signal)),
    writeStream: (path, chunks, condition, signal) => store.writeStream(path, chunks, condition, signal),
    delete: (path, condition, signal) => recorded(path, undefined, () => store.delete(path, condition, signal)),
  };
}

/** The object of a spec that a path of the store is, or undefined. */
function specPlace(path: string): { readonly cluster: string; readonly path: string } | undefined {
  const [, cluster, inner] = /^([^/]+)\/(config|instancegroup\/[^/]+|clusteraddons\/default)$/.exec(path) ?? [];
  return cluster === undefined || inner === undefined ? undefined : { cluster, path: inner };
}

/** Whether nobody has begun a later change. Where there are very many later ones, all but the last are removed, and this one with them. */
async function isLatest(store: StateStore, cluster: string, number: number): Promise<boolean> {
  const [own, next] = await Promise.all([number, number + 1].map((one) => store.read(changePath(cluster, one))));
  return own !== undefined && next === undefined;
}

async function textAt(store: StateStore, path: string): Promise<string | undefined> {
  const stored = await store.read(path);
  return stored && new TextDecoder().decode(stored.bytes);
}

/**
 * Whether a write that failed is known to have written nothing. A store may fail after it has written, and report a conflict
 * with a write that was its own (docs/state-store.md).
 *
 * @param after what was to be written; undefined if the object was to be deleted
 */
const wroteNothing = async (store: StateStore, path: string, after: string | undefined): Promise<boolean> =>
  textAt(store, path).then(
    (text) => text !== after,
    // A store that does not answer may have written.
    () => false,
  );

/** Records the command under the next free number, and removes the oldest changes beyond the number that is kept. */
async function beginChange(store: StateStore, cluster: string, author: ChangeAuthor): Promise<number> {
  const { number, entries } = await againOnConflict(async () => {
    const entries = await store.list(historyFolder(cluster));
    const number = Math.max(0, ...entries.map(({ path }) => numberIn(path) ?? 0)) + 1;
    const text = printChange({ at: new Date().toISOString(), ...author });
    await store.write(changePath(cluster, number), new TextEncoder().encode(text), { ifAbsent: true });
    return { number, entries };
  }, MAX_CONFLICTS);
  const old = entries.filter(({ path }) => (numberIn(path) ?? number) <= number - KEPT_CHANGES);
  await inParallel(old, ({ path }) => store.delete(path));
  return number;
}
