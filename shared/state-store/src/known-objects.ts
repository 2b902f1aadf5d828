import type { StateStore } from './store.ts';

/** Enough to hide the latency of a store: the first look reads every object. */
const AT_ONCE = 16;

/**
 * What the objects of a folder say, read again and again: each look costs a listing, and a read for each object that
 * has changed since the last look.
 */
export class KnownObjects<T> {
  readonly #store: StateStore;
  readonly #folder: string;
  readonly #isWanted: (path: string) => boolean;
  readonly #parse: (text: string, path: string) => T | undefined;
  #known: ReadonlyMap<string, Known<T>> = new Map();

  /** @param parse undefined for an object that says nothing of interest; what it throws ends the look */
  constructor(
    store: StateStore,
    folder: string,
    isWanted: (path: string) => boolean,
    parse: (text: string, path: string) => T | undefined,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#isWanted = isWanted;
    this.#parse = parse;
  }

  /** In the order of their paths. */
  async read(signal: AbortSignal | undefined): Promise<readonly T[]> {
    const entries = (await this.#store.list(this.#folder, signal)).filter(({ path }) => this.#isWanted(path));
    const known = new Map<string, Known<T>>();
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const some = entries.slice(from, from + AT_ONCE).map(async ({ path, version }): Promise<void> => {
        const before = this.#known.get(path);
        const now = before?.version === version ? before : await this.#readOne(path, signal);
        if (now !== undefined) known.set(path, now);
      });
      await Promise.all(some);
    }
    this.#known = known;
    return entries.flatMap(({ path }) => known.get(path)?.value ?? []);
  }

  async #readOne(path: string, signal: AbortSignal | undefined): Promise<Known<T> | undefined> {
    const stored = await this.#store.read(path, signal);
    if (stored === undefined) return undefined;
    const value = this.#parse(Buffer.from(stored.bytes).toString('utf8'), path);
    return { version: stored.version, value };
  }
}

interface Known<T> {
  readonly version: string;
  readonly value: T | undefined;
}
