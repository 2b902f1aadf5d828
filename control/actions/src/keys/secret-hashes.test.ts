import { createHash } from 'node:crypto';
import { createMemoryStore } from '@kopsctl/state-store/memory.ts';
import { expect, test } from 'vitest';
import { secretHashes } from './secret-hashes.ts';
import { storeSecret } from './secrets.ts';

test('the hash of each secret that people bring is told where it is there, and no other', async () => {
  const store = createMemoryStore();
  expect(await secretHashes(store, 'demo')).toEqual({});
  const data = Buffer.from('{}');
  await storeSecret(store, 'demo', { kind: 'dockerconfig', data, force: false });
  await storeSecret(store, 'demo', { kind: 'etcd-backup-key', data, force: false });
  expect(await secretHashes(store, 'demo')).toEqual({ dockerconfig: createHash('sha256').update('{}').digest('hex') });
});

test('What is not in the form of a secret is refused without a word of it', async () => {
  const store = createMemoryStore();
  await store.write('demo/secrets/encryptionconfig', Buffer.from('hunter2'), { ifAbsent: true });
  await expect(secretHashes(store, 'demo')).rejects.toThrow('demo/secrets/encryptionconfig');
  await expect(secretHashes(store, 'demo')).rejects.not.toThrow('hunter2');
});
