import { openStore } from '@kopsctl/state-store/open.ts';
import { secretFolder } from '@kopsctl/state-store/stored-secret.ts';
import type { ActionContext } from './phases/action.ts';
import { clusterNames } from './store/cluster-names.ts';
import { instanceGroupFolder, keysetFolder } from './store/object-paths.ts';

/** What a person may name. */
export type NamedThings = 'clusters' | 'instance groups' | 'secrets' | 'keysets';

const FOLDERS = { 'instance groups': instanceGroupFolder, secrets: secretFolder, keysets: keysetFolder };

/** The names that a state store has of a kind of things. Nothing but paths is read, and little code is loaded: a person waits. */
export async function listNames(
  { state = '', name, env }: Pick<ActionContext, 'state' | 'name' | 'env'>,
  of: NamedThings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const store = await openStore(state, env);
  if (of === 'clusters') return clusterNames(store, signal);
  const [only, ...others] = name === undefined ? await clusterNames(store, signal) : [name];
  if (only === undefined || others.length > 0) return [];
  const folder = FOLDERS[of](only);
  const entries = await store.list(folder, signal);
  return [...new Set(entries.map(({ path }) => path.slice(folder.length + 1).split('/')[0] ?? ''))].toSorted();
}
