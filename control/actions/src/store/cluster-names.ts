import type { StateStore } from '@kopsctl/state-store/store.ts';

/** The names of all clusters in a store: the folders that hold a `config`. */
export async function clusterNames(store: StateStore, signal?: AbortSignal): Promise<readonly string[]> {
  const entries = await store.list('', signal);
  return entries.flatMap(({ path }) => /^([^/]+)\/config$/.exec(path)?.[1] ?? []);
}
