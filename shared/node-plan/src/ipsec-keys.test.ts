import { expect, test } from 'vitest';
import { parseIpsecKeys } from './ipsec-keys.ts';

const KEY = 'd5d0a4c1ee7b3d4a7c2f5e2f9a2f5d5c1c2d3e4f';

test.each([
  [`keys: 3 rfc4106(gcm(aes)) ${KEY} 128\n`, `3 rfc4106(gcm(aes)) ${KEY} 128`],
  [`keys: "3+ rfc4106(gcm(aes)) ${KEY} 128"`, `3+ rfc4106(gcm(aes)) ${KEY} 128`],
  [`keys: '1 hmac(sha256) ${KEY} cbc(aes) ${KEY}'\n\n`, `1 hmac(sha256) ${KEY} cbc(aes) ${KEY}`],
])('%s is read', (secret, keys) => {
  expect(parseIpsecKeys(secret)).toBe(keys);
});

test.each([
  '',
  'keys:',
  KEY,
  'keys: 3',
  `keys: "3 rfc4106(gcm(aes)) ${KEY} 128`,
  `keys: 3 rfc4106(gcm(aes)) ${KEY} 128\nother: x`,
  `keys: 3 rfc4106(gcm(aes)) ${KEY} 128"\nkind: ClusterRoleBinding`,
  `keys: {a: b}`,
])('%j is refused', (secret) => {
  expect(parseIpsecKeys(secret)).toBeUndefined();
});
