import { expect, test } from 'vitest';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { printKeyset, publicHalf } from '@kopsctl/pki/keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { printSecret, secretPath } from '@kopsctl/state-store/stored-secret.ts';
import { machineKnowledge } from './machine-knowledge.ts';

const CLUSTER = 'demo.k8s.local';

async function store() {
  const stored = createMemoryStore();
  for (const name of ['kubernetes-ca', 'gossip-records-ca', 'other-ca']) {
    const keyset = await createCertificateAuthority({ commonName: name, nowMs: Date.now() });
    const published = Buffer.from(printKeyset(publicHalf(keyset)));
    await stored.write(publishedKeysetPath(CLUSTER, name), published, { ifAbsent: true });
  }
  for (const name of ['gossip-key', 'gossip-key-control-plane']) {
    await stored.write(secretPath(CLUSTER, name), Buffer.from(printSecret(Buffer.from(name))), { ifAbsent: true });
  }
  return stored;
}

test('a machine gets the secrets and the certificates of its group, and no other', async () => {
  const rights = { secrets: ['gossip-key'], authorities: ['gossip-records-ca'] };
  const known = await machineKnowledge(CLUSTER, rights, await store(), new AbortController().signal);
  expect(known.secrets).toEqual({ 'gossip-key': 'gossip-key' });
  expect(Object.keys(known.authorities)).toEqual(['gossip-records-ca']);
  expect(known.authorities['gossip-records-ca']).toMatch(
    /^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/,
  );
  expect(known.clusterCa).not.toBe(known.authorities['gossip-records-ca']);
});

test('what its group may have and the store lacks is named', async () => {
  const rights = { secrets: [], authorities: ['missing-ca'] };
  await expect(machineKnowledge(CLUSTER, rights, await store(), new AbortController().signal)).rejects.toThrow(
    'pki/issued/missing-ca/keyset.yaml is not in',
  );
});
