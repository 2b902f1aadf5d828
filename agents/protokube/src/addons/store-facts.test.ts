import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { publishedKeysetPath } from '@kopsctl/pki/keyset-store.ts';
import { printKeyset, publicHalf, trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { printSecret } from '@kopsctl/state-store/stored-secret.ts';
import { expect, test } from 'vitest';
import { storeFacts } from './store-facts.ts';

const signal = new AbortController().signal;
const KEYS = '3+ rfc4106(gcm(aes)) d5d0a4c1ee7b3d4a7c2f5e2f9a2f5d5c1c2d3e4f 128';

async function keysIn(stored: string | undefined): Promise<string | undefined> {
  const store = createMemoryStore();
  if (stored !== undefined) await store.write('demo/secrets/ciliumpassword', Buffer.from(stored), { ifAbsent: true });
  return storeFacts('demo', store)['ciliumIpsecKeys']?.(signal);
}

test('the keys of IPsec are those of the secret', async () => {
  expect(await keysIn(printSecret(Buffer.from(`keys: ${KEYS}\n`)))).toBe(KEYS);
});

test.each([
  ['there is none', undefined],
  ['it is not a secret', 'hunter2'],
  ['it would write another object', printSecret(Buffer.from('keys: hunter2"\n---\nkind: ClusterRoleBinding'))],
])('an error says what to do, and nothing of the secret, where %s', async (_what, stored) => {
  await expect(keysIn(stored)).rejects.toMatchObject({ next: expect.stringContaining('kopsctl create secret') });
  await expect(keysIn(stored)).rejects.not.toThrow('hunter2');
});

test.each([
  ['kubeletServingCa', 'kubelet-serving-ca'],
  ['ciliumEtcdAuthorities', 'etcd-clients-ca-cilium'],
  ['nodeAuthorityCa', 'node-authority-ca'],
])('%s is the certificates of the keyset, on one line', async (fact, name) => {
  const store = createMemoryStore();
  const known = () => storeFacts('demo', store)[fact]?.(signal);
  await expect(known()).rejects.toMatchObject({ next: expect.stringContaining('kopsctl update cluster') });
  const keyset = await createCertificateAuthority({ commonName: name, nowMs: Date.now() });
  const text = printKeyset(publicHalf(keyset));
  await store.write(publishedKeysetPath('demo', name), Buffer.from(text), { ifAbsent: true });
  const value = (await known()) ?? '';
  expect(value).toMatch(/^[A-Za-z0-9+/]+=*$/);
  expect(Buffer.from(value, 'base64').toString()).toBe(trustedCertificates(keyset));
});
