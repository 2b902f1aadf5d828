import { expect, test } from 'vitest';
import { parseStoredToken, tokenSecret } from './plan-token.ts';

const stored = (text: string): string => JSON.stringify({ Data: Buffer.from(text).toString('base64') });

test('a token is read from the form in which kops keeps secrets', () => {
  expect(parseStoredToken(stored('abcdef.0123456789abcdef\n'))).toEqual({ id: 'abcdef', secret: '0123456789abcdef' });
});

test('anything else is no token', () => {
  for (const bad of ['', 'abcdef.0123456789abcdef', '{}', stored('ABCDEF.0123456789abcdef'), stored('x')]) {
    expect(parseStoredToken(bad)).toBeUndefined();
  }
});

test('the Secret authenticates bootstrappers of this suite and nothing else', () => {
  const { path, object } = tokenSecret({ id: 'abcdef', secret: '0123456789abcdef' });
  expect(path).toBe('/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef');
  expect(object).toMatchObject({
    type: 'bootstrap.kubernetes.io/token',
    data: { 'auth-extra-groups': Buffer.from('system:bootstrappers:kops').toString('base64') },
  });
  expect(object).not.toHaveProperty('data.usage-bootstrap-signing');
});
