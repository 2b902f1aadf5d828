import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { writeKeyset } from '@kopsctl/pki/keyset-store.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { expect, test } from 'vitest';
import { nameOfCluster } from '../phases/choose-cluster.ts';
import { listKeypairs } from './list-keys.ts';

/** A store that answers no listing until it is given up. */
const silent: StateStore = {
  ...createMemoryStore(),
  list: (_prefix, signal) =>
    new Promise((_resolve, reject) => {
      if (signal === undefined) reject(new Error('nothing can end this'));
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    }),
};

test.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  ['the key pairs', (signal) => listKeypairs(silent, 'demo', signal)],
  ['the clusters', (signal) => nameOfCluster({ env: {}, onEvent: () => {}, signal }, silent, undefined)],
])('listing %s of a store that does not answer ends with its signal', async (_what, list) => {
  const ending = new AbortController();
  const listing = list(ending.signal);
  ending.abort();
  await expect(listing).rejects.toThrow('ended');
});

test('the keyset of a discovery service is listed with the id that the service has for it', async () => {
  const store = createMemoryStore();
  for (const name of ['discovery-ca', 'kubernetes-ca']) {
    const keyset = await createCertificateAuthority({ commonName: name, nowMs: Date.now() });
    await writeKeyset(store, 'demo', keyset, undefined);
  }
  const [ofDiscovery, other] = await listKeypairs(store, 'demo');
  expect(ofDiscovery).toMatchObject({ keyset: 'discovery-ca', discoveryId: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(other).not.toHaveProperty('discoveryId');
});
