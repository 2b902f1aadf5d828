import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { parseObjects } from '@kopsctl/spec/parse.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/** Where kops keeps what a person wrote. */
const configPath = (cluster: string) => `${cluster}/config`;
const instanceGroupPath = (cluster: string, name: string) => `${cluster}/instancegroup/${name}`;

/** The user's objects of one cluster, as written. */
export interface StoredCluster {
  readonly cluster: Cluster;
  readonly instanceGroups: readonly InstanceGroup[];
}

/** The names of all clusters in a store: the folders that hold a `config`. */
export async function listClusters(store: StateStore): Promise<readonly string[]> {
  const entries = await store.list('');
  return entries
    .map((entry) => /^([^/]+)\/config$/.exec(entry.path)?.[1])
    .filter((name): name is string => name !== undefined);
}

/** Reads a cluster's objects, or undefined where there is no such cluster. */
export async function findCluster(store: StateStore, name: string): Promise<StoredCluster | undefined> {
  const config = await store.read(configPath(name));
  if (config === undefined) return undefined;
  const entries = await store.list(`${name}/instancegroup`);
  const cluster = parseStored<Cluster>(store, configPath(name), config.bytes);
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
  const others = await listClusters(store);
  throw new ActionableError({
    what: `read the cluster ${name}`,
    why: `${store.url} does not hold it${others.length > 0 ? ` (it holds ${others.join(', ')})` : ' (it holds no cluster)'}`,
    next: 'check --name and --state, or create the cluster with `kopsctl apply -f FILE`',
  });
}

function parseStored<T>(store: StateStore, path: string, bytes: Uint8Array): T {
  const { objects, errors } = parseObjects(new TextDecoder().decode(bytes), `${store.url}/${path}`);
  const [object] = objects;
  if (errors.length > 0 || object === undefined) {
    throw new ActionableError({
      what: `read ${path} of ${store.url}`,
      why: errors.map((error) => `line ${error.line}: ${error.path} ${error.message}`).join('; ') || 'it is empty',
      next: 'mend that file, or write it anew with `kopsctl replace -f FILE`',
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
  object: { readonly kind: 'Cluster' | 'InstanceGroup'; readonly name: string; readonly text: string },
): Promise<ObjectChange> {
  const path = object.kind === 'Cluster' ? configPath(cluster) : instanceGroupPath(cluster, object.name);
  const stored = await store.read(path);
  if (stored === undefined) return { path, change: 'create', text: object.text };
  const previous = { text: new TextDecoder().decode(stored.bytes), version: stored.version };
  return { path, change: previous.text === object.text ? 'none' : 'replace', text: object.text, previous };
}

/** Carries out what planObject found, refusing when somebody changed the object in between. */
export async function writeObject(store: StateStore, change: ObjectChange): Promise<void> {
  if (change.change === 'none') return;
  const condition =
    change.previous === undefined ? ({ ifAbsent: true } as const) : { ifVersion: change.previous.version };
  await store.write(change.path, new TextEncoder().encode(change.text), condition);
}
