import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import { inParallel } from '../store/in-parallel.ts';
import {
  type ChangeAuthor,
  changePath,
  hashOfText,
  historyFolder,
  numberIn,
  objectRecordPath,
  printChange,
  printObjectRecord,
} from './spec-change.ts';

/** More than anybody reads; 100 changes of a large cluster take a few megabytes. */
const KEPT_CHANGES = 100;
/** Each attempt fails only if somebody else changed the same cluster at the same moment. */
const MAX_ATTEMPTS = 20;

/**
 * The store, with a history of what is written to specs through it. The text that an object had is recorded before it is
 * written over, so that no interruption loses it; a write that is refused is taken out of the history again.
 */
export function recordChanges(store: StateStore, author: ChangeAuthor): StateStore {
  const numbers = new Map<string, Promise<number>>();
  const numberFor = (cluster: string): Promise<number> => {
    const known = numbers.get(cluster) ?? beginChange(store, cluster, author);
    numbers.set(cluster, known);
    return known;
  };

  async function recorded<Result>(
    path: string,
    after: string | undefined,
    carryOut: () => Promise<Result>,
  ): Promise<Result> {
    const place = specPlace(path);
    if (place === undefined) return carryOut();
    const stored = await store.read(path);
    const before = stored && new TextDecoder().decode(stored.bytes);
    if (before === after) return carryOut();
    const recordPath = objectRecordPath(place.cluster, await numberFor(place.cluster), place.path);
    const record = {
      path: place.path,
      before: before ?? null,
      after: after === undefined ? null : hashOfText(after),
    };
    // A command that writes an object twice keeps what was there before the first time.
    const isFirst = (await store.read(recordPath)) === undefined;
    if (isFirst) await store.write(recordPath, new TextEncoder().encode(printObjectRecord(record)), { ifAbsent: true });
    try {
      return await carryOut();
    } catch (error) {
      if (isFirst && error instanceof ConflictError) await store.delete(recordPath);
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

/** Records the command under the next free number, and removes the oldest changes beyond those that are kept. */
async function beginChange(store: StateStore, cluster: string, author: ChangeAuthor): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const entries = await store.list(historyFolder(cluster));
    const number = Math.max(0, ...entries.map(({ path }) => numberIn(path) ?? 0)) + 1;
    const text = printChange({ at: new Date().toISOString(), ...author });
    try {
      await store.write(changePath(cluster, number), new TextEncoder().encode(text), { ifAbsent: true });
    } catch (error) {
      if (error instanceof ConflictError && attempt < MAX_ATTEMPTS) continue;
      throw error;
    }
    const old = entries.filter(({ path }) => (numberIn(path) ?? number) <= number - KEPT_CHANGES);
    await inParallel(old, ({ path }) => store.delete(path));
    return number;
  }
}
