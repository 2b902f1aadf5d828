import { comparePaths, folderOfPrefix } from '../path.ts';
import type { Entry, StateStore } from '../store.ts';

/** A folder of a cluster's state that is not below the cluster's own folder. */
export interface StorePlace {
  /** In the state store, without a slash at its end: `demo.example.com/pki`. */
  readonly folder: string;
  /** The URL of the folder that is used instead. */
  readonly url: string;
}

export interface PlacedStoreOptions {
  /** Asked before each use of keysets, secrets and backups of a cluster. */
  readonly placesOf: (cluster: string, signal: AbortSignal | undefined) => Promise<readonly StorePlace[]>;
  readonly open: (url: string) => Promise<StateStore>;
}

interface Found {
  readonly store: StateStore;
  readonly path: string;
}

/**
 * The store with folders of clusters at other places, so that their readers and writers know nothing of it. The list of
 * a whole cluster leaves out what is stored elsewhere, because other clusters may use it too: deleting a cluster
 * deletes none of it.
 */
export function openPlaced(store: StateStore, { placesOf, open }: PlacedStoreOptions): StateStore {
  const opened = new Map<string, Promise<StateStore>>();

  function openPlace({ url }: StorePlace): Promise<StateStore> {
    const known = opened.get(url);
    if (known !== undefined) return known;
    const opening = open(url);
    opened.set(url, opening);
    // The next caller tries again.
    opening.catch(() => opened.delete(url));
    return opening;
  }

  async function find(path: string, signal: AbortSignal | undefined): Promise<Found> {
    if (!PLACEABLE.test(path)) return { store, path };
    const place = (await placesOf(clusterOf(path), signal)).find(({ folder }) => path.startsWith(`${folder}/`));
    if (place === undefined) return { store, path };
    return { store: await openPlace(place), path: path.slice(place.folder.length + 1) };
  }

  return {
    url: store.url,

    async read(path, signal) {
      const at = await find(path, signal);
      return at.store.read(at.path, signal);
    },

    async write(path, bytes, condition, signal) {
      const at = await find(path, signal);
      return at.store.write(at.path, bytes, condition, signal);
    },

    async readStream(path, signal) {
      const at = await find(path, signal);
      return at.store.readStream(at.path, signal);
    },

    async writeStream(path, chunks, condition, signal) {
      const at = await find(path, signal);
      return at.store.writeStream(at.path, chunks, condition, signal);
    },

    async delete(path, condition, signal) {
      const at = await find(path, signal);
      return at.store.delete(at.path, condition, signal);
    },

    async list(prefix, signal) {
      const folder = folderOfPrefix(store.url, prefix);
      if (!PLACEABLE.test(folder)) return store.list(prefix, signal);
      const places = await placesOf(clusterOf(folder), signal);
      const around = places.find((place) => folder.startsWith(`${place.folder}/`));
      if (around !== undefined) {
        return listPlace(await openPlace(around), around, folder.slice(around.folder.length + 1), signal);
      }
      const within = places.filter((place) => place.folder.startsWith(folder));
      if (within.length === 0) return store.list(prefix, signal);
      const own = await store.list(prefix, signal);
      const others = await Promise.all(
        within.map(async (place) => listPlace(await openPlace(place), place, '', signal)),
      );
      return [
        ...own.filter(({ path }) => !within.some((place) => path.startsWith(`${place.folder}/`))),
        ...others.flat(),
      ].toSorted((a, b) => comparePaths(a.path, b.path));
    },
  };
}

/** What may be stored elsewhere: all other paths are used without asking. */
const PLACEABLE = /^[^/]+\/(pki|secrets|backups)\//;

const clusterOf = (path: string): string => path.slice(0, path.indexOf('/'));

/** What a place holds, by the paths that it replaces. */
async function listPlace(
  store: StateStore,
  { folder }: StorePlace,
  below: string,
  signal: AbortSignal | undefined,
): Promise<readonly Entry[]> {
  const entries = await store.list(below, signal);
  return entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
}
