import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What a store does to its clients. */
export type StoreHarm =
  | { readonly kind: 'none' }
  /** Every request takes this much longer. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Every request is refused. */
  | { readonly kind: 'fails' }
  /** No request is ever answered. */
  | { readonly kind: 'silent' }
  /** Every write happens, and the answer to every second one is lost. */
  | { readonly kind: 'loses-answers' };

/** The harm a file names; none while there is no file, or a test is just writing it. */
export function harmOf(file: string): StoreHarm {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as StoreHarm;
  } catch {
    return { kind: 'none' };
  }
}

/** The store, with what `harm` says at each request. */
export function harmedStore(store: StateStore, harm: () => StoreHarm): StateStore {
  let writes = 0;
  const before = async (signal?: AbortSignal): Promise<void> => {
    const now = harm();
    if (now.kind === 'fails') throw new Error('the store answered 503 Slow Down');
    if (now.kind === 'slow') await sleep(now.delayMs, undefined, { signal });
    if (now.kind !== 'silent') return;
    // Nobody answers before somebody mends it: the caller's own patience is what is tried here.
    while (harm().kind === 'silent') await sleep(100, undefined, { signal });
    throw new Error('the connection to the store was reset');
  };
  const after = (): void => {
    writes += 1;
    if (harm().kind === 'loses-answers' && writes % 2 === 1) throw new Error('the connection to the store was reset');
  };
  return {
    url: store.url,
    async read(path, signal) {
      await before(signal);
      return store.read(path, signal);
    },
    async readStream(path, signal) {
      await before(signal);
      return store.readStream(path, signal);
    },
    async list(prefix, signal) {
      await before(signal);
      return store.list(prefix, signal);
    },
    async write(path, bytes, condition, signal) {
      await before(signal);
      const written = await store.write(path, bytes, condition, signal);
      after();
      return written;
    },
    async writeStream(path, chunks, condition, signal) {
      await before(signal);
      const written = await store.writeStream(path, chunks, condition, signal);
      after();
      return written;
    },
    async delete(path, condition, signal) {
      await before(signal);
      await store.delete(path, condition, signal);
      after();
    },
  };
}
