import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { assert, property, string } from 'fast-check';
import { EvidenceRefused } from '@kopsctl/node-cloud/machine-identity.ts';
import { expect, test } from 'vitest';
import { isSignedBy, parseIdentityToken } from './identity-token.ts';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEADER = { alg: 'RS256', kid: 'b6f5a1', typ: 'JWT' };
const CLAIMS = { iss: 'https://accounts.google.com' };
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const SIGNED = `${encoded(HEADER)}.${encoded(CLAIMS)}`;
const SIGNATURE = sign('sha256', Buffer.from(SIGNED), privateKey).toString('base64url');
const TOKEN = `${SIGNED}.${SIGNATURE}`;

test('a token is parsed, and its signature is verified', () => {
  const token = parseIdentityToken(TOKEN);
  expect(token).toMatchObject({ keyId: 'b6f5a1', claims: CLAIMS });
  expect(isSignedBy(token, publicKey)).toBe(true);
  expect(isSignedBy(token, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)).toBe(false);
  const altered = parseIdentityToken(`${encoded(HEADER)}.${encoded({ ...CLAIMS, admin: true })}.${SIGNATURE}`);
  expect(isSignedBy(altered, publicKey)).toBe(false);
});

test('the signature of RFC 7515, appendix A.2, is verified', () => {
  const n =
    'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ';
  const signed =
    'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
  const text =
    'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw';
  const key = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
  const signature = Buffer.from(text, 'base64url');
  expect(isSignedBy({ signed, signature }, key)).toBe(true);
  expect(isSignedBy({ signed: `${signed}x`, signature }, key)).toBe(false);
});

const withHeader = (header: unknown, signature = SIGNATURE): string =>
  `${encoded(header)}.${encoded(CLAIMS)}.${signature}`;
const hs256 = { ...HEADER, alg: 'HS256' };
const byPublicKey = createHmac('sha256', publicKey.export({ format: 'pem', type: 'spki' }))
  .update(`${encoded(hs256)}.${encoded(CLAIMS)}`)
  .digest('base64url');

test.each([
  ['without an algorithm', withHeader({ kid: 'b6f5a1' })],
  ['with the algorithm none', `${encoded({ ...HEADER, alg: 'none' })}.${encoded(CLAIMS)}.`],
  ['with the algorithm None', withHeader({ ...HEADER, alg: 'None' })],
  ['signed with the public key as a secret', withHeader(hs256, byPublicKey)],
  ['with another algorithm', withHeader({ ...HEADER, alg: 'PS256' })],
  ['with a list of algorithms', withHeader({ ...HEADER, alg: ['RS256'] })],
  ['with critical extensions', withHeader({ ...HEADER, crit: ['b64'], b64: false })],
  ['without a key', withHeader({ alg: 'RS256' })],
  ['with a path as a key', withHeader({ ...HEADER, kid: '../../etc/passwd' })],
  ['with a header that is a list', withHeader([HEADER])],
  ['with a header that is null', withHeader(null)],
  ['with no signature', `${SIGNED}.`],
  ['of two parts', SIGNED],
  ['of four parts', `${TOKEN}.${SIGNATURE}`],
  ['with padding', `${TOKEN}==`],
  ['with a last newline', `${TOKEN}\n`],
  ['with spaces', TOKEN.replace('.', ' .')],
  // The last character of 256 bytes has four bits that mean nothing.
  ['that is written differently', TOKEN.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1))],
  ['with claims that are not UTF-8', `${encoded(HEADER)}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.x`],
  ['with claims that are not JSON', `${encoded(HEADER)}.${Buffer.from('{').toString('base64url')}.x`],
  ['that is too long', `${SIGNED}.${'A'.repeat(16 * 1024)}`],
])('a token %s is refused', (_, token) => {
  expect(() => parseIdentityToken(token)).toThrow(EvidenceRefused);
});

test('any text is refused, and for no other reason', () => {
  assert(
    property(string({ unit: 'binary' }), string({ unit: 'binary' }), (a, b) => {
      expect(() => parseIdentityToken(a)).toThrow(EvidenceRefused);
      expect(() => parseIdentityToken(`${encoded(HEADER)}.${a}.${b}.`)).toThrow(EvidenceRefused);
    }),
  );
});
