import type { Cluster } from '@kopsctl/spec/cluster.ts';
import { wantedPlaces } from '@kopsctl/spec/store-places.ts';
import { openPlaced, type StorePlace } from '@kopsctl/state-store/placed/placed-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { findClusterSpec } from './cluster-store.ts';
import { objectPath } from './object-paths.ts';

/** Most specs name none of them, and need not be parsed. */
const NAMES_A_PLACE = /\b(keyStore|secretStore|backupStore)\b/;

/**
 * The store with keysets, secrets and backups where the stored spec of each cluster puts them. A spec is read once, and again
 * when it was written through this store.
 */
export function placedBySpec(store: StateStore, open: (url: string) => Promise<StateStore>): StateStore {
  const known = new Map<string, Promise<readonly StorePlace[] | undefined>>();
  const placesOf = async (cluster: string, signal: AbortSignal | undefined): Promise<readonly StorePlace[]> => {
    const places = known.get(cluster) ?? readPlaces(store, cluster, signal);
    known.set(cluster, places);
    try {
      const found = await places;
      if (found !== undefined) return found;
    } catch (thrown) {
      known.delete(cluster);
      throw thrown;
    }
    // The spec that is not there may be written by another process.
    known.delete(cluster);
    return [];
  };
  const placed = openPlaced(store, { placesOf, open });
  const forget = (path: string): void => {
    const [cluster = ''] = path.split('/');
    if (path === objectPath(cluster, 'Cluster', cluster)) known.delete(cluster);
  };
  return {
    ...placed,
    async write(path, ...rest) {
      forget(path);
      const written = await placed.write(path, ...rest);
      forget(path);
      return written;
    },
  };
}

/** Undefined where there is no such cluster. */
async function readPlaces(
  store: StateStore,
  cluster: string,
  signal: AbortSignal | undefined,
): Promise<readonly StorePlace[] | undefined> {
  const stored = await store.read(objectPath(cluster, 'Cluster', cluster), signal);
  if (stored === undefined) return undefined;
  if (!NAMES_A_PLACE.test(new TextDecoder().decode(stored.bytes))) return [];
  const spec = await findClusterSpec(store, cluster, signal);
  return spec && placesIn(spec, `${store.url.replace(/\/+$/, '')}/${cluster}`);
}

const placesIn = (cluster: Cluster, base: string): readonly StorePlace[] =>
  wantedPlaces(cluster, base).map(({ folder, url }) => ({ folder: `${cluster.metadata.name}/${folder}`, url }));
