import { createPublicKey, createSign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createServiceAccountKeyset } from './authority.ts';
import { jsonWebKeys } from './jwks.ts';
import { primary } from './keyset.ts';

test('a token that the keyset signs is verified with what is published, and distrusted keys are not published', async () => {
  const keyset = await createServiceAccountKeyset({ nowMs: Date.UTC(2026, 0, 1) });
  const { keys } = JSON.parse(jsonWebKeys(keyset)) as { readonly keys: readonly Record<string, string>[] };
  const [jwk = {}] = keys;
  const signature = createSign('sha256').update('token').sign(primary(keyset).privateKeyPem);
  expect(verify('sha256', Buffer.from('token'), createPublicKey({ key: jwk, format: 'jwk' }), signature)).toBe(true);
  expect(jwk).toMatchObject({ use: 'sig', kid: expect.stringMatching(/^[\w-]{43}$/) });
  const distrusted = { ...keyset, items: keyset.items.map((item) => ({ ...item, distrustedMs: 1 })) };
  expect(jsonWebKeys(distrusted)).toBe('{\n  "keys": []\n}\n');
});
