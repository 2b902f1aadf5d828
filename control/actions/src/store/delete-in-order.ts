import type { StateStore } from '@kopsctl/state-store/store.ts';
import { inParallel } from './in-parallel.ts';

export interface DeletionOrder {
  readonly paths: readonly string[];
  /** Those of the paths that go after all others, one after the other. */
  readonly last: readonly string[];
}

/** Deletes objects. Once the signal has aborted, nothing further is deleted. */
export async function deleteInOrder(
  store: StateStore,
  { paths, last }: DeletionOrder,
  signal: AbortSignal,
): Promise<void> {
  await inParallel(
    paths.filter((path) => !last.includes(path)),
    (path) => store.delete(path, undefined, signal),
  );
  for (const path of last.filter((one) => paths.includes(one))) {
    signal.throwIfAborted();
    await store.delete(path);
  }
}
