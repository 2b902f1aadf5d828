import { createHash } from 'node:crypto';
import { type Keyset, parseKeyset, printKeyset, publicHalf } from '@kopsctl/pki/keyset.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';

/**
 * What names the state of a keyset: which pairs it has, which of them signs and which are trusted. Undefined for a keyset
 * with a single pair, which is as it was created: machines have seen no other state.
 */
function stateOfKeyset(keyset: Keyset): string | undefined {
  if (keyset.items.length === 1) return undefined;
  return createHash('sha256')
    .update(printKeyset(publicHalf(keyset)))
    .digest('hex')
    .slice(0, 16);
}

/** The states of the keysets that were changed since they were created, by name, as machines read them. */
export async function keysetStates(store: StateStore, cluster: string): Promise<Readonly<Record<string, string>>> {
  const folder = `${cluster}/pki/issued`;
  const entries = await store.list(folder);
  const names = entries.flatMap(({ path }) => /^([^/]+)\/keyset\.yaml$/.exec(path.slice(folder.length + 1))?.[1] ?? []);
  const states = await Promise.all(
    names.map(async (name) => {
      const path = publishedKeysetPath(cluster, name);
      const stored = await store.read(path);
      if (stored === undefined) return [];
      const state = stateOfKeyset(parseKeyset(new TextDecoder().decode(stored.bytes), `${path} in ${store.url}`));
      return state === undefined ? [] : [[name, state] as const];
    }),
  );
  return Object.fromEntries(states.flat());
}
