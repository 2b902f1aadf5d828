import type { StateStore } from '@kopsctl/state-store/store.ts';
import { ifUnchanged } from '@kopsctl/state-store/condition.ts';
import { parseKeyset, printKeyset, type Keyset } from './keyset.ts';

/** Where kops keeps a keyset, relative to the root of the state store. */
export function keysetPath(clusterName: string, keysetName: string): string {
  return `${clusterName}/pki/private/${keysetName}/keyset.yaml`;
}

/** Where its public half is kept, which machines without a right to private keys may read. */
export function publishedKeysetPath(clusterName: string, keysetName: string): string {
  return `${clusterName}/pki/issued/${keysetName}/keyset.yaml`;
}

/** The keyset and the version it was read at; `undefined` where there is none. */
export async function readKeyset(
  store: StateStore,
  clusterName: string,
  keysetName: string,
  signal?: AbortSignal,
): Promise<{ readonly keyset: Keyset; readonly version: string } | undefined> {
  const path = keysetPath(clusterName, keysetName);
  const stored = await store.read(path, signal);
  if (stored === undefined) return undefined;
  return {
    keyset: parseKeyset(Buffer.from(stored.bytes).toString('utf8'), `${path} in ${store.url}`),
    version: stored.version,
  };
}

/** Creates a keyset, or replaces the version that was read. @throws ConflictError when it was changed meanwhile. */
export async function writeKeyset(
  store: StateStore,
  clusterName: string,
  keyset: Keyset,
  replacing: { readonly version: string } | undefined,
  signal?: AbortSignal,
): Promise<{ version: string }> {
  const condition = ifUnchanged(replacing?.version);
  return store.write(keysetPath(clusterName, keyset.name), Buffer.from(printKeyset(keyset)), condition, signal);
}
