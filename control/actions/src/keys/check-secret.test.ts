import { expect, test } from 'vitest';
import { faultOfSecret } from './check-secret.ts';
import type { SecretKind } from './secrets.ts';

const ENCRYPTION = `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
  - resources: [secrets]
    providers:
      - aescbc: { keys: [{ name: key1, secret: aHVudGVyMmh1bnRlcjJodW50ZXIyaHVudGVyMjEyMzQ= }] }
      - identity: {}
`;

test.each<[SecretKind, string]>([
  ['encryptionconfig', ENCRYPTION],
  ['dockerconfig', '{"auths":{}}'],
  ['ciliumpassword', 'keys: 3+ rfc4106(gcm(aes)) d5d0a4c1ee7b 128'],
  ['dns-update-key', 'hmac-sha256:name:c2VjcmV0'],
  ['etcd-backup-key', `${'0a'.repeat(32)}\n`],
  ['etcd-backup-key', 'exactly 32 bytes, all of them raw'.slice(0, 32)],
])('%s is taken as it is meant', (kind, text) => {
  expect(faultOfSecret(kind, Buffer.from(text))).toBeUndefined();
});

test.each<[SecretKind, string]>([
  ['encryptionconfig', ''],
  ['encryptionconfig', 'hunter2'],
  ['encryptionconfig', 'a: {hunter2'],
  ['encryptionconfig', ENCRYPTION.replace('EncryptionConfiguration', 'hunter2')],
  ['encryptionconfig', 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources: []\n'],
  ['dockerconfig', '{"auths": hunter2}'],
  ['ciliumpassword', 'hunter2'],
  ['dns-update-key', 'hunter2'],
  ['etcd-backup-key', ''],
  ['etcd-backup-key', 'hunter2'],
  ['etcd-backup-key', `${'0a'.repeat(31)}\n`],
])('%s %j is refused, and nothing of it is told', (kind, text) => {
  const fault = faultOfSecret(kind, Buffer.from(text));
  expect(fault).toEqual(expect.stringMatching(/./));
  expect(fault).not.toContain('hunter2');
});
