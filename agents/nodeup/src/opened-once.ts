import type { StateStore } from '@kopsctl/state-store/store.ts';

/** If opening the store failed, the next task that needs it tries again. */
export function openedOnce(open: () => Promise<StateStore>): () => Promise<StateStore> {
  let opened: Promise<StateStore> | undefined;
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}
