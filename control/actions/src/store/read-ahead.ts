import type { StateStore } from '@kopsctl/state-store/store.ts';
import { recordedHashes } from '../hashes/recorded-hashes.ts';
import { listSshPublicKeys } from '../keys/list-keys.ts';
import { secretHashes } from '../keys/secret-hashes.ts';
import { COMPLETED_BY_KOPSCTL } from './applied-spec.ts';
import { additionalObjectsPath, instanceGroupFolder, keysetsFolder, objectPath } from './object-paths.ts';
import { readOrigin } from './origin.ts';

/**
 * Begins to read all that each plan of a cluster needs of the store, at once: where the store is far away, a plan waits for
 * two or three answers, one after the other, and not for ten. Nothing is told of what cannot be read, because whoever needs
 * it asks again.
 *
 * @param store one that asks once for each object (readOnce)
 */
export function readAhead(store: StateStore, cluster: string, signal: AbortSignal): void {
  void Promise.allSettled([
    store.read(objectPath(cluster, 'Cluster', cluster), signal),
    store.list(instanceGroupFolder(cluster), signal),
    readOrigin(store, cluster, signal),
    ...COMPLETED_BY_KOPSCTL.map((file) => store.read(`${cluster}/${file}`, signal)),
    store.read(additionalObjectsPath(cluster), signal),
    recordedHashes(store, cluster),
    secretHashes(store, cluster),
    listSshPublicKeys(store, cluster),
    readKeysets(store, cluster, signal),
  ]);
}

async function readKeysets(store: StateStore, cluster: string, signal: AbortSignal): Promise<void> {
  const entries = await store.list(keysetsFolder(cluster), signal);
  const keysets = entries.filter(({ path }) => /\/(issued|private)\/[^/]+\/keyset\.yaml$/.test(path));
  await Promise.allSettled(keysets.map(({ path }) => store.read(path, signal)));
}
