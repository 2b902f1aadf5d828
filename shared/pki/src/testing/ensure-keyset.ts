import { ConflictError, type StateStore } from '@kopsctl/state-store/store.ts';
import type { Keyset } from '../keyset.ts';
import { readKeyset, writeKeyset } from '../keyset-store.ts';

/** Returns the stored keyset, or creates it with `make`. When two callers create it at once, both get the stored one. */
export async function ensureKeyset(
  store: StateStore,
  clusterName: string,
  keysetName: string,
  make: () => Promise<Keyset>,
  signal?: AbortSignal,
): Promise<{ readonly keyset: Keyset; readonly created: boolean }> {
  const found = await readKeyset(store, clusterName, keysetName, signal);
  if (found !== undefined) return { keyset: found.keyset, created: false };
  const keyset = await make();
  try {
    await writeKeyset(store, clusterName, keyset, undefined, signal);
    return { keyset, created: true };
  } catch (thrown) {
    if (!(thrown instanceof ConflictError)) throw thrown;
    const winner = await readKeyset(store, clusterName, keysetName, signal);
    if (winner === undefined) throw thrown;
    return { keyset: winner.keyset, created: false };
  }
}
