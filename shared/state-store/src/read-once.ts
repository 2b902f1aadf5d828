import type { Entry, StateStore, Stored } from './store.ts';

/** Larger objects, such as node plans, are read by few and would be kept in memory for all the rest. */
const MOST_BYTES = 32 * 1024;

/**
 * A view of a store that asks once for each object and each listing, until something is written through it. It is for work
 * that looks at a cluster from many sides and soon ends, such as a plan: what it says then fits together, too. A look that
 * failed is repeated.
 */
export function readOnce(store: StateStore): StateStore {
  const reads = new Map<string, Promise<Stored | undefined>>();
  const lists = new Map<string, Promise<readonly Entry[]>>();

  /** Runs a change, and forgets what it may have changed, also where it failed: a conflict says that others have written. */
  async function change<T>(path: string, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } finally {
      reads.delete(path);
      lists.clear();
    }
  }

  return {
    ...store,
    async read(path, signal) {
      const stored = await once(reads, path, () => store.read(path, signal));
      if (stored !== undefined && stored.bytes.length > MOST_BYTES) reads.delete(path);
      return stored;
    },
    list: (prefix, signal) => once(lists, prefix, () => store.list(prefix, signal)),
    write: (path, bytes, condition, signal) => change(path, () => store.write(path, bytes, condition, signal)),
    writeStream: (path, chunks, condition, signal) =>
      change(path, () => store.writeStream(path, chunks, condition, signal)),
    delete: (path, condition, signal) => change(path, () => store.delete(path, condition, signal)),
  };
}

/** What was asked before, or `ask`. What another caller's signal has ended is asked again. */
async function once<T>(known: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before !== undefined) {
    try {
      return await before;
    } catch {
      // The caller that asked has the error.
    }
  }
  const asking = ask();
  known.set(key, asking);
  try {
    return await asking;
  } catch (error) {
    if (known.get(key) === asking) known.delete(key);
    throw error;
  }
}
