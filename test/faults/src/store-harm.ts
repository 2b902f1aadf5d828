import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** How a store misbehaves. */
export type StoreHarm =
  | { readonly kind: 'none' }
  /** Every request takes this much longer. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Every request is refused. */
  | { readonly kind: 'fails' }
  /** No request is answered. */
  | { readonly kind: 'silent' }
  /** Every write happens, but the answer to every second one is lost. */
  | { readonly kind: 'loses-answers' };

/** Reads the harm from a file, which `FaultCluster.harmStore` writes. There is no harm while the file does not exist. */
export function harmOf(file: string): StoreHarm {
  try {
    // The file was written from an object of this type.
    return JSON.parse(readFileSync(file, 'utf8')) as StoreHarm;
  } catch {
    return { kind: 'none' };
  }
}

/** A store that misbehaves as `harm` says at each request. */
export function harmedStore(store: StateStore, harm: () => StoreHarm): StateStore {
  let writes = 0;
  const before = async (signal?: AbortSignal): Promise<void> => {
    const now = harm();
    if (now.kind === 'fails') throw new Error('the store answered 503 Slow Down');
    if (now.kind === 'slow') await sleep(now.delayMs, undefined, { signal });
    if (now.kind !== 'silent') return;
    // There is no answer until the harm ends, so the caller has to give up by itself.
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
