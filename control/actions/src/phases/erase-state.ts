import type { StateStore } from '@kopsctl/state-store/store.ts';
import { inParallel } from '../store/in-parallel.ts';
import { objectPath } from '../store/object-paths.ts';
import { lockPath } from '../store/with-cluster-lock.ts';

/**
 * Erases what a store holds of a cluster. The caller holds the cluster's lock. The lock is deleted after everything it protects,
 * so that nobody else changes the cluster meanwhile; the Cluster is deleted last, so that a deletion that was cut off can
 * be repeated by name.
 */
export async function eraseState(store: StateStore, cluster: string, signal: AbortSignal): Promise<void> {
  const last = [lockPath(cluster), objectPath(cluster, 'Cluster', cluster)];
  const entries = await store.list(cluster, signal);
  const first = entries.filter(({ path }) => !last.includes(path));
  await inParallel(first, ({ path }) => store.delete(path, undefined, signal));
  for (const path of last) {
    signal.throwIfAborted();
    await store.delete(path);
  }
}
