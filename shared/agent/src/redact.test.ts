import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { REDACTED, redactor } from './redact.ts';

const plain = redactor([]);

test.each([
  'password: hunter2hunter2',
  '"secretAccessKey":"hunter2hunter2"',
  'Authorization: Bearer hunter2hunter2',
  'https://me:hunter2hunter2@example.com/',
  '"privateMaterial": "hunter2hunter2"',
  '{"auths":{"example.com":{"auth":"hunter2hunter2"}}}',
])('%s is secret by its form', (text) => {
  expect(plain(text)).not.toContain('hunter2');
  expect(plain(text)).toContain(REDACTED);
});

test('private keys are taken out, also those that are cut off, escaped or in base64; certificates stay', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKeyPem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const [, body = ''] = privateKeyPem.split('\n');
  const base64 = Buffer.from(privateKeyPem).toString('base64');
  for (const text of [privateKeyPem, JSON.stringify({ key: privateKeyPem }), privateKeyPem.slice(0, 100), base64]) {
    expect(plain(`before ${text}`)).not.toContain(body.slice(0, 40));
    expect(plain(`before ${text}`)).not.toContain(base64.slice(0, 60));
    expect(plain(`before ${text}`)).toContain('before');
  }
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  expect(plain(certificate)).toBe(certificate);
});

test('tokens and access keys are taken out', () => {
  const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0xxxx.c2lnbmF0dXJl';
  expect(plain(`token ${token}, key AKIAIOSFODNN7EXAMPLE`)).toBe(`token ${REDACTED}, key ${REDACTED}`);
});

test('what is known to be secret is taken out in whatever spelling, and nothing else is', () => {
  const secret = Buffer.from('first line of it\nsecond line of it\n');
  const clean = redactor([secret, Buffer.from('short')]);
  const spelled = [
    secret.toString(),
    JSON.stringify(secret.toString()),
    secret.toString('base64'),
    secret.toString('hex'),
    'x second line of it x',
  ];
  for (const text of spelled) expect(clean(text)).toContain(REDACTED);
  for (const text of spelled) expect(clean(text)).not.toMatch(/line of it|c2Vjb25k/);
  expect(clean('a short line')).toBe('a short line');
});
