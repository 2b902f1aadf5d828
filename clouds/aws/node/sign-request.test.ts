import { expect, test } from 'vitest';
import { signedHeaders } from './sign-request.ts';

// "post-x-www-form-urlencoded" of AWS's Signature Version 4 test suite.
const REQUEST = {
  host: 'example.amazonaws.com',
  region: 'us-east-1',
  service: 'service',
  body: 'Param1=value1',
  contentType: 'application/x-www-form-urlencoded',
};
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

test('a request is signed as in the test suite of AWS', () => {
  const { authorization } = signedHeaders(REQUEST, KEYS, Date.UTC(2015, 7, 30, 12, 36));
  expect(authorization).toContain('SignedHeaders=content-type;host;x-amz-date,');
  expect(authorization).toContain('Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a');
});

test('the session token of a role is signed', () => {
  const headers = signedHeaders(REQUEST, { ...KEYS, sessionToken: 'token' }, 0);
  expect(headers['x-amz-security-token']).toBe('token');
  expect(headers['authorization']).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,');
});

test('further headers are signed in their place', () => {
  const request = { ...REQUEST, headers: { 'a-first': '1', 'x-kops-attest': 'hash' } };
  const headers = signedHeaders(request, { ...KEYS, sessionToken: 'token' }, 0);
  expect(headers).toMatchObject(request.headers);
  expect(headers['authorization']).toContain(
    'SignedHeaders=a-first;content-type;host;x-amz-date;x-amz-security-token;x-kops-attest,',
  );
});
