import { createHash } from 'node:crypto';
import { KUBELET_SERVING_CA, KUBERNETES_CA } from '@kopsctl/model/node/certificates.ts';
import { type Keyset, parseKeyset, printKeyset, publicHalf } from '@kopsctl/pki/keyset.ts';
import { publishedKeysetPath, readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { keysetsFolder } from '../store/object-paths.ts';

/** Keysets that take over from another in clusters that are older than they are (control/model/src/store/keysets.ts). */
const PREDECESSORS: Readonly<Record<string, string>> = { [KUBELET_SERVING_CA]: KUBERNETES_CA };

/**
 * What names the state of a keyset: which pairs it has, which of them signs and which are trusted. Undefined for a keyset
 * with a single pair, which is as it was created: machines have seen no other state.
 *
 * @param predecessor its certificates came with the keyset when that was created
 */
function stateOfKeyset(keyset: Keyset, predecessor: Keyset | undefined): string | undefined {
  const inherited = new Set((predecessor?.items ?? []).map(({ certificatePem }) => certificatePem));
  const own = keyset.items.filter(
    ({ certificatePem, distrustedMs }) => distrustedMs !== undefined || !inherited.has(certificatePem),
  );
  if (own.length === 1) return undefined;
  return createHash('sha256')
    .update(printKeyset(publicHalf(keyset)))
    .digest('hex')
    .slice(0, 16);
}

/** The states of the keysets that were changed since they were created, by name, as machines read them. */
export async function keysetStates(store: StateStore, cluster: string): Promise<Readonly<Record<string, string>>> {
  const folder = keysetsFolder(cluster);
  const entries = await store.list(folder);
  const names = entries.flatMap(
    ({ path }) => /^(?:issued|private)\/([^/]+)\/keyset\.yaml$/.exec(path.slice(folder.length + 1))?.[1] ?? [],
  );
  const read = await Promise.all([...new Set(names)].map((name) => readPublicHalf(store, cluster, name)));
  const keysets = read.filter((keyset) => keyset !== undefined);
  return Object.fromEntries(
    keysets.flatMap((keyset) => {
      const predecessor = keysets.find(({ name }) => name === PREDECESSORS[keyset.name]);
      const state = stateOfKeyset(keyset, predecessor);
      return state === undefined ? [] : [[keyset.name, state] as const];
    }),
  );
}

/** What is published of a keyset; of one that kops made, what will be once the cluster is applied. */
async function readPublicHalf(store: StateStore, cluster: string, name: string): Promise<Keyset | undefined> {
  const path = publishedKeysetPath(cluster, name);
  const stored = await store.read(path);
  if (stored !== undefined) {
    return { ...parseKeyset(new TextDecoder().decode(stored.bytes), `${path} in ${store.url}`), name };
  }
  const keyset = (await readKeyset(store, cluster, name))?.keyset;
  return keyset && { ...publicHalf(keyset), name };
}
