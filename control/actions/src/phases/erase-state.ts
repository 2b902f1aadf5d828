import type { StateStore } from '@kopsctl/state-store/store.ts';
import { deleteInOrder } from '../store/delete-in-order.ts';
import { objectPath } from '../store/object-paths.ts';
import { locksOf } from './alone-with-cluster.ts';

/**
 * Erases what a store holds of a cluster. The caller is alone with the cluster. The Cluster is deleted after all that belongs to
 * it, so that a deletion that was cut off can be repeated by name.
 *
 * The locks go last: whoever takes one of them from then on finds no Cluster. If the Cluster went last, somebody could still
 * find it and take its lock, and make machines of a cluster that no store holds a moment later. Locks that are left where a
 * deletion was cut off between the two do no harm: no command lists them as a cluster, they end with their process or expire,
 * a new cluster of that name takes them over, and the deletion can be repeated.
 */
export async function eraseState(store: StateStore, cluster: string, signal: AbortSignal): Promise<void> {
  const entries = await store.list(cluster, signal);
  const last = [objectPath(cluster, 'Cluster', cluster), ...locksOf(cluster)];
  await deleteInOrder(store, { paths: entries.map(({ path }) => path), last }, signal);
}
