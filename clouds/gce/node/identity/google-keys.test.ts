import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { freshMs, googleKeysUrl, parseKeys } from './google-keys.ts';

const jwk = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
const KEY = { ...jwk(2048), kid: 'a', alg: 'RS256', use: 'sig' };

test('the keys are those that can verify RS256', () => {
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const keys = [
    KEY,
    { ...jwk(1024), kid: 'short', alg: 'RS256' },
    { ...KEY, kid: 'other', alg: 'PS256' },
    { ...KEY, kid: 'encrypts', use: 'enc' },
    { ...elliptic, kid: 'elliptic' },
    { kty: 'oct', k: 'c2VjcmV0', kid: 'secret' },
  ];
  expect([...parseKeys(JSON.stringify({ keys })).keys()]).toEqual(['a']);
});

test.each(['', '{}', '[]', '{"keys":{}}', '{"keys":[]}', '{"keys":[{"kty":"RSA","kid":"a"}]}', '<html></html>'])(
  'an answer without keys is refused: %s',
  (body) => {
    expect(() => parseKeys(body)).toThrow(Error);
  },
);

test('keys are kept as long as Google says, but neither for a moment nor for ever', () => {
  const control = 'public, max-age=24000, must-revalidate, no-transform';
  expect(freshMs({ 'cache-control': control })).toBe(24_000_000);
  expect(freshMs({ 'cache-control': control, age: '4000' })).toBe(20_000_000);
  expect(freshMs({ 'cache-control': 's-max-age=5000, no-store' })).toBe(30_000);
  expect(freshMs({ 'cache-control': 'max-age=0' })).toBe(30_000);
  expect(freshMs({})).toBe(30_000);
  expect(freshMs({ 'cache-control': 'max-age=999999999' })).toBe(86_400_000);
});

test('the keys are at Google, over TLS', () => {
  expect(googleKeysUrl({})).toBe('https://www.googleapis.com/oauth2/v3/certs');
});
