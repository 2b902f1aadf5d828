import { nodesFolder } from '@kopsctl/node-identity/enrolment.ts';
import { openStore } from '@kopsctl/state-store/open.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { secretFolder } from '@kopsctl/state-store/stored-secret.ts';
import { historyFolder } from './history/history-folder.ts';
import { impliedCluster } from './access/implied-cluster.ts';
import type { ActionContext } from './phases/action.ts';
import { clusterNames } from './store/cluster-names.ts';
import { instanceGroupFolder, keysetFolder } from './store/object-paths.ts';

/** What a person may name. */
export type NamedThings =
  | 'clusters'
  | 'instance groups'
  | 'secrets'
  | 'keysets'
  | 'nodes'
  | 'subnets'
  /** Numbers of changes of a spec. */
  | 'changes'
  | { readonly keyPairsOf: string };

const FOLDERS = {
  'instance groups': instanceGroupFolder,
  secrets: secretFolder,
  keysets: keysetFolder,
  nodes: (cluster: string) => nodesFolder(cluster).replace(/\/$/, ''),
  changes: historyFolder,
};

/**
 * The names of one kind of thing in a state store, in their order; of machines, which stay in the store when they are gone, and
 * of changes the newest first. As a rule, only the paths of objects are read, and little code is loaded: a person waits.
 */
export async function listNames(
  { state = '', name, env }: Pick<ActionContext, 'state' | 'name' | 'env'>,
  of: NamedThings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const store = await openStore(state, env);
  if (of === 'clusters') return clusterNames(store, signal);
  const cluster = name ?? (await impliedCluster(await clusterNames(store, signal), { env }));
  if (cluster === undefined) return [];
  if (typeof of === 'object') return keyPairIds(store, cluster, of.keyPairsOf, signal);
  if (of === 'subnets') return subnetsOf(store, cluster);
  const folder = FOLDERS[of](cluster);
  const entries = await store.list(folder, signal);
  const changedMs = new Map<string, number>();
  for (const { path, modifiedMs } of entries) {
    const name = path.slice(folder.length + 1).split('/')[0] ?? '';
    changedMs.set(name, Math.max(modifiedMs, changedMs.get(name) ?? 0));
  }
  if (of === 'changes') return changesIn(entries.map(({ path }) => path.slice(folder.length + 1)));
  const names = [...changedMs.keys()].toSorted();
  if (of !== 'nodes') return names;
  return names.toSorted((left, right) => (changedMs.get(right) ?? 0) - (changedMs.get(left) ?? 0));
}

async function subnetsOf(store: StateStore, name: string): Promise<readonly string[]> {
  const { findCluster } = await import('./store/cluster-store.ts');
  const stored = await findCluster(store, name);
  return (stored?.cluster.spec.subnets ?? []).flatMap((subnet) => subnet.name ?? []);
}

/** The newest first, and then what was before all of them. What other tools did between them only the texts tell. */
function changesIn(paths: readonly string[]): readonly string[] {
  // A change whose write was refused has no objects.
  const numbers = new Set(paths.flatMap((path) => /^(\d+)\/objects\//.exec(path)?.[1] ?? []).map(Number));
  return [...[...numbers].toSorted((left, right) => right - left).map(String), '0'];
}

/** By the public half: the private one may be sealed, and is nobody's business here. */
async function keyPairIds(
  store: StateStore,
  cluster: string,
  keyset: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { publishedKeysetPath } = await import('@kopsctl/pki/keyset-store.ts');
  const path = publishedKeysetPath(cluster, keyset);
  const stored = await store.read(path, signal);
  if (stored === undefined) return [];
  const { parseKeyset } = await import('@kopsctl/pki/keyset.ts');
  return parseKeyset(Buffer.from(stored.bytes).toString('utf8'), path).items.map(({ id }) => id);
}
