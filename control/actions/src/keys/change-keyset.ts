import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { isRotatable } from '@kopsctl/pki/keyset-changes.ts';
import { type Keyset, printKeyset, publicHalf } from '@kopsctl/pki/keyset.ts';
import { publishedKeysetPath, readKeyset, writeKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { keysetFolder } from '../store/object-paths.ts';

/** The names of a cluster's keysets. */
export async function listKeysets(store: StateStore, cluster: string): Promise<readonly string[]> {
  const folder = `${keysetFolder(cluster)}/`;
  const entries = await store.list(keysetFolder(cluster));
  return entries.flatMap(({ path }) => /^([^/]+)\/keyset\.yaml$/.exec(path.slice(folder.length))?.[1] ?? []);
}

/** kops's short name for the CA of the cluster. */
const FORMER_NAMES: Readonly<Record<string, string>> = { ca: 'kubernetes-ca' };

/** The name of a keyset that a person names. */
export const keysetNamed = (named: string): string => FORMER_NAMES[named] ?? named;

/** The keysets that a person names: `all` is every one that can be rotated. @throws ActionableError for any other */
export async function chooseKeysets(store: StateStore, cluster: string, named: string): Promise<readonly string[]> {
  const names = (await listKeysets(store, cluster)).filter(isRotatable);
  if (named === 'all') return names;
  const name = names.find((one) => one === named) ?? keysetNamed(named);
  if (names.includes(name)) return [name];
  throw unknownKeyset(cluster, named, names);
}

export const unknownKeyset = (cluster: string, named: string, names: readonly string[]): ActionableError =>
  new ActionableError({
    what: `find the keyset ${named} of ${cluster}`,
    why: `there are ${names.join(', ') || 'none: `kopsctl update cluster --yes` makes them'}`,
    next: 'name one of them',
  });

/**
 * Replaces a keyset by what `change` makes of it, and publishes the public half of that. A keyset that stays as it is is
 * not written; its public half is, if an earlier change was cut short.
 *
 * @throws ConflictError if somebody else changed it meanwhile
 */
export async function changeKeyset(
  store: StateStore,
  cluster: string,
  name: string,
  change: (keyset: Keyset) => Keyset | Promise<Keyset>,
  signal: AbortSignal,
): Promise<{ readonly before: Keyset; readonly after: Keyset }> {
  const found = await readKeyset(store, cluster, name, signal);
  if (found === undefined) throw unknownKeyset(cluster, name, await listKeysets(store, cluster));
  const before = found.keyset;
  const after = await change(before);
  if (printKeyset(after) !== printKeyset(before)) await writeKeyset(store, cluster, after, found, signal);
  await publishKeyset(store, cluster, after, signal);
  return { before, after };
}

/**
 * Stores the first state of a keyset, and its public half.
 *
 * @throws ConflictError if there is one already
 */
export async function createKeyset(
  store: StateStore,
  cluster: string,
  keyset: Keyset,
  signal: AbortSignal,
): Promise<void> {
  await writeKeyset(store, cluster, keyset, undefined, signal);
  await publishKeyset(store, cluster, keyset, signal);
}

/** Writes what machines that have no right to private keys read of a keyset. */
async function publishKeyset(store: StateStore, cluster: string, keyset: Keyset, signal: AbortSignal): Promise<void> {
  const path = publishedKeysetPath(cluster, keyset.name);
  const bytes = Buffer.from(printKeyset(publicHalf(keyset)));
  const there = await store.read(path, signal);
  if (there !== undefined && Buffer.compare(there.bytes, bytes) === 0) return;
  await store.write(path, bytes, ifUnchanged(there?.version), signal);
}
