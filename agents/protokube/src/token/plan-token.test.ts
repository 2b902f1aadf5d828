import { expect, test } from 'vitest';
import { printSecret } from '@kopsctl/state-store/stored-secret.ts';
import { parseStoredToken, tokenSecret } from './plan-token.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const stored = (token: string) => bytes(printSecret(bytes(token)));

test('a token is parsed from a secret in the format of kops', () => {
  expect(parseStoredToken(stored('abcdef.0123456789abcdef\n'))).toEqual({ id: 'abcdef', secret: '0123456789abcdef' });
});

test('anything else is not a token', () => {
  const torn = ['', 'abcdef.0123456789abcdef', '{}'].map(bytes);
  for (const bad of [...torn, stored('ABCDEF.0123456789abcdef'), stored('x')]) {
    expect(parseStoredToken(bad)).toBeUndefined();
  }
});

test('the Secret authenticates bootstrappers and nothing else', () => {
  const { path, object } = tokenSecret({ id: 'abcdef', secret: '0123456789abcdef' });
  expect(path).toBe('/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef');
  expect(object).toMatchObject({
    type: 'bootstrap.kubernetes.io/token',
    data: { 'auth-extra-groups': Buffer.from('system:bootstrappers:kops').toString('base64') },
  });
  expect(object).not.toHaveProperty('data.usage-bootstrap-signing');
});
