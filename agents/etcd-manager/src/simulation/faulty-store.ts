import type { StateStore } from '@kopsctl/state-store/store.ts';

/** What may go wrong with one call to the store. */
export type StoreFault = 'none' | 'refused' | 'answer lost';

/** The store as one manager reaches it: each call waits for its turn, may fail, or may take effect although its answer is lost. */
export function faultyStore(
  store: StateStore,
  turn: (what: string) => Promise<void>,
  fault: (what: string) => StoreFault,
): StateStore {
  const call = async <T>(what: string, run: () => Promise<T>): Promise<T> => {
    await turn(what);
    const harm = fault(what);
    if (harm === 'refused') throw new Error(`the store refuses: ${what}`);
    const result = await run();
    if (harm === 'answer lost') throw new Error(`the answer of the store is lost: ${what}`);
    return result;
  };
  return {
    url: store.url,
    read: (path, signal) => call(`read ${path}`, () => store.read(path, signal)),
    write: (path, bytes, condition, signal) => call(`write ${path}`, () => store.write(path, bytes, condition, signal)),
    readStream: (path, signal) => call(`read ${path}`, () => store.readStream(path, signal)),
    writeStream: (path, chunks, condition, signal) =>
      call(`write ${path}`, () => store.writeStream(path, chunks, condition, signal)),
    delete: (path, condition, signal) => call(`delete ${path}`, () => store.delete(path, condition, signal)),
    list: (prefix, signal) => call(`list ${prefix}`, () => store.list(prefix, signal)),
  };
}
