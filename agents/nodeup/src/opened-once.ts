import type { StateStore } from '@kopsctl/state-store/store.ts';

/** The next task that needs the store tries to open it again, where that failed. */
export function openedOnce(open: () => Promise<StateStore>): () => Promise<StateStore> {
  let opened: Promise<StateStore> | undefined;
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
}
