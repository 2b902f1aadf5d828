import { SEALED_FOLDERS } from '@kopsctl/state-store/sealed/state-key.ts';
import type { Handler, JsonObject, Step } from '@kopsctl/tasks/task.ts';
import { inParallel } from '../store/in-parallel.ts';
import { CLUSTER_CA } from '../store/object-paths.ts';
import type { StoreEnv } from './store-env.ts';

interface StateKeyProps {
  /** Undefined: objects are written in the clear. */
  readonly sealsWith?: string;
}

interface StoredObject {
  /** Below the cluster's folder. */
  readonly path: string;
  readonly sealedWith: string | undefined;
}

interface SealStep extends Step {
  readonly paths: readonly string[];
}

/**
 * Every keyset and secret of a cluster is sealed with the key that its spec names. The store of the environment seals
 * what is written to it as the stored Cluster says, so writing an object again as it was read is all there is to do.
 */
export const stateKeyHandler: Handler<StoreEnv, StateKeyProps, readonly StoredObject[], SealStep> = {
  kind: 'StateKey',

  parse({ sealsWith }: JsonObject) {
    if (sealsWith === undefined) return {};
    if (typeof sealsWith !== 'string') throw new Error('StateKey needs the name of a key, or none');
    return { sealsWith };
  },

  async find(_name, _props, { store, cluster }, signal) {
    const lists = await Promise.all(SEALED_FOLDERS.map((folder) => store.list(`${cluster}/${folder}`, signal)));
    const found: StoredObject[] = [];
    await inParallel(lists.flat(), async ({ path }) => {
      const stored = await store.read(path, signal);
      if (stored !== undefined) found.push({ path: path.slice(cluster.length + 1), sealedWith: stored.sealedWith });
    });
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  },

  plan(_name, { sealsWith }, actual = []) {
    const others = actual.filter((object) => object.sealedWith !== sealsWith);
    if (others.length === 0) return [];
    const count = `${others.length} ${others.length === 1 ? 'object' : 'objects'} below ${SEALED_FOLDERS.join(' and ')}`;
    return [
      {
        action: sealsWith === undefined ? 'write-in-the-clear' : 'seal',
        summary: sealsWith === undefined ? `write ${count} in the clear` : `seal ${count} with ${sealsWith}`,
        changes: others.map(({ path, sealedWith }) => ({
          path,
          from: sealedWith ?? 'in the clear',
          to: sealsWith ?? 'in the clear',
        })),
        paths: inOrder(
          others.map(({ path }) => path),
          sealsWith !== undefined,
        ),
      },
    ];
  },

  async apply({ paths }, _name, { sealsWith }, { store, cluster }, signal) {
    for (const path of paths) {
      signal.throwIfAborted();
      const stored = await store.read(`${cluster}/${path}`, signal);
      if (stored === undefined || stored.sealedWith === sealsWith) continue;
      await store.write(`${cluster}/${path}`, stored.bytes, { ifVersion: stored.version }, signal);
    }
  },
};

/** The CA of the cluster is the first that is sealed and the last that is opened, so it tells whether anything is sealed. */
function inOrder(paths: readonly string[], isSealing: boolean): readonly string[] {
  const isFirst = (path: string): number => Number((path === CLUSTER_CA) === isSealing);
  return paths.toSorted((a, b) => isFirst(b) - isFirst(a));
}
