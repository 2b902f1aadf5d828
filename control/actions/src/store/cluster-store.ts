import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { clusterNames } from './cluster-names.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { nearestName } from '@kopsctl/spec/nearest-name.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { instanceGroupFolder, objectPath, type OwnKind } from './object-paths.ts';

/** The user's objects of one cluster, as written. */
export interface StoredCluster {
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
}

/** Reads the Cluster alone, or undefined where there is no such cluster. */
export async function findClusterSpec(
  store: StateStore,
  name: string,
  signal?: AbortSignal,
): Promise<Cluster | undefined> {
  const path = objectPath(name, 'Cluster', name);
  const config = await store.read(path, signal);
  return config && parseStored<Cluster>(store, path, config.bytes);
}

/** Reads a cluster's objects, or undefined where there is no such cluster. */
export async function findCluster(store: StateStore, name: string): Promise<StoredCluster | undefined> {
  const cluster = await findClusterSpec(store, name);
  if (cluster === undefined) return undefined;
  const entries = await store.list(instanceGroupFolder(name));
  const instanceGroups = await Promise.all(
    entries.map(async ({ path }) => {
      const stored = await store.read(path);
      if (stored === undefined) return undefined;
      return parseStored<InstanceGroup>(store, path, stored.bytes);
    }),
  );
  return { cluster, instanceGroups: instanceGroups.filter((group) => group !== undefined) };
}

/** Reads a cluster's objects. @throws ActionableError that names the clusters there are. */
export async function readCluster(store: StateStore, name: string): Promise<StoredCluster> {
  const found = await findCluster(store, name);
  if (found !== undefined) return found;
  throw await unknownCluster(store, name, `read the cluster ${name}`);
}

/**
 * The error of a command about a cluster that the store does not hold: it names those there are, and the nearest.
 *
 * @param next what to do where no name is near
 */
export async function unknownCluster(
  store: StateStore,
  name: string,
  what: string,
  next = 'check --name and --state; `kopsctl get clusters` lists the clusters of a store',
): Promise<ActionableError> {
  const others = await clusterNames(store);
  const near = nearestName(name, others);
  return new ActionableError({
    what,
    why: `${store.url} does not hold it${others.length > 0 ? ` (it holds ${others.join(', ')})` : ' (it holds no cluster)'}`,
    next: near === undefined ? next : `did you mean ${near}? Otherwise check --state`,
  });
}

function parseStored<T>(store: StateStore, path: string, bytes: Uint8Array): T {
  const { objects, errors } = parseObjects(new TextDecoder().decode(bytes), `${store.url}/${path}`);
  const [object] = objects;
  if (errors.length > 0 || object === undefined) {
    throw new ActionableError({
      what: `read ${path} of ${store.url}`,
      why: errors.map((error) => `line ${error.line}: ${error.path} ${error.message}`).join('; ') || 'it is empty',
      next: 'repair that file, or write it again with `kopsctl replace -f FILE`',
    });
  }
  // parseObjects has checked the value against the schema of its kind.
  return object.value as T;
}

/** What writing an object would do. */
export interface ObjectChange {
  readonly path: string;
  readonly change: 'create' | 'replace' | 'none';
  readonly text: string;
  readonly previous?: { readonly text: string; readonly version: string };
}

/** Compares an object with what the store holds of it; changes nothing. */
export async function planObject(
  store: StateStore,
  cluster: string,
  object: { readonly kind: OwnKind; readonly name: string; readonly text: string },
): Promise<ObjectChange> {
  const path = objectPath(cluster, object.kind, object.name);
  const stored = await store.read(path);
  if (stored === undefined) return { path, change: 'create', text: object.text };
  const previous = { text: new TextDecoder().decode(stored.bytes), version: stored.version };
  return { path, change: previous.text === object.text ? 'none' : 'replace', text: object.text, previous };
}

/** Carries out what planObject found, refusing when somebody changed the object in between. */
export async function writeObject(store: StateStore, change: ObjectChange): Promise<void> {
  if (change.change === 'none') return;
  const condition = ifUnchanged(change.previous?.version);
  await store.write(change.path, new TextEncoder().encode(change.text), condition);
}
