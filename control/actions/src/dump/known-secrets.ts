import { readKeyset } from '@kopsctl/pki/keyset-store.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { parseSecret, secretFolder } from '@kopsctl/state-store/stored-secret.ts';
import { listKeysets } from '../keys/change-keyset.ts';

/** All secrets of a cluster that the state store holds: none of them may be in a bundle. */
export async function knownSecrets(
  store: StateStore,
  cluster: string,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const stored = await Promise.all(
    (await store.list(secretFolder(cluster), signal)).map(({ path }) => store.read(path, signal)),
  );
  const keysets = await Promise.all(
    (await listKeysets(store, cluster)).map((name) => readKeyset(store, cluster, name, signal)),
  );
  return [
    // One in another form is secret as a whole.
    ...stored.flatMap((one) => (one === undefined ? [] : [parseSecret(one.bytes) ?? one.bytes])),
    ...keysets.flatMap((found) =>
      (found?.keyset.items ?? []).flatMap(({ privateKeyPem }) =>
        privateKeyPem === undefined ? [] : [Buffer.from(privateKeyPem)],
      ),
    ),
  ];
}
