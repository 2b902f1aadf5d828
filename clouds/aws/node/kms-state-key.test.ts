import { openSealed } from '@kopsctl/state-store/sealed/sealed-store.ts';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { type EncryptionContext, type Kms, KmsRefusal } from './kms.ts';
import { kmsStateKey } from './kms-state-key.ts';

const ARN = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const CA = 'demo.example.com/pki/private/kubernetes-ca/keyset.yaml';

/** Decrypts only with the context of the encryption, as KMS does. */
function memoryKms(contexts: EncryptionContext[] = []): Kms {
  const encrypted = new Map<string, Uint8Array>();
  const named = (bytes: Uint8Array, context: EncryptionContext) =>
    `${Buffer.from(bytes).toString('hex')} ${JSON.stringify(context)}`;
  return {
    async encrypt(plain, context) {
      const blob = Buffer.from(`blob ${encrypted.size}`);
      encrypted.set(named(blob, context), plain);
      contexts.push(context);
      return blob;
    },
    async decrypt(blob, context) {
      const plain = encrypted.get(named(blob, context));
      if (plain === undefined) throw new KmsRefusal('InvalidCiphertextException', '');
      return plain;
    },
  };
}

const storeWith = (kms: Kms, inner = createMemoryStore()) =>
  openSealed(inner, { openKey: async () => kmsStateKey(ARN, kms), sealingOf: async () => ({ with: ARN }) });

test('what is sealed with a key of KMS is bound to its cluster and its path there too', async () => {
  const contexts: EncryptionContext[] = [];
  const store = storeWith(memoryKms(contexts));
  await store.write(CA, Buffer.from('keyset'), { ifAbsent: true });
  expect(Buffer.from((await store.read(CA))?.bytes ?? []).toString()).toBe('keyset');
  expect(contexts).toEqual([
    { KubernetesCluster: 'demo.example.com', KopsObject: 'pki/private/kubernetes-ca/keyset.yaml' },
  ]);
});

test.each(['other.example.com/pki/private/kubernetes-ca/keyset.yaml', 'demo.example.com/pki/private/x/keyset.yaml'])(
  'an envelope that was moved to %s is refused by KMS',
  async (path) => {
    const inner = createMemoryStore();
    const store = storeWith(memoryKms(), inner);
    await store.write(CA, Buffer.from('keyset'), { ifAbsent: true });
    await inner.write(path, (await inner.read(CA))?.bytes ?? new Uint8Array(), { ifAbsent: true });
    await expect(store.read(path)).rejects.toThrow(/was changed, or sealed for another path, cluster or key/);
  },
);

test('a missing right is named, with the key', async () => {
  const refusing: Kms = {
    encrypt: () => Promise.reject(new KmsRefusal('AccessDeniedException', 'not authorized to perform kms:Encrypt')),
    decrypt: () => Promise.reject(new KmsRefusal('AccessDeniedException', '')),
  };
  await expect(storeWith(refusing).write(CA, Buffer.from('keyset'), { ifAbsent: true })).rejects.toMatchObject({
    message: `cannot seal pki/private/kubernetes-ca/keyset.yaml with ${ARN}: AccessDeniedException: not authorized to perform kms:Encrypt`,
    next: expect.stringContaining('allow kms:Encrypt'),
  });
});
