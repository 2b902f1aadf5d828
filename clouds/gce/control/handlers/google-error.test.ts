import { GoogleRefusal } from '@kopsctl/google/google-refusal.ts';
import { expect, test } from 'vitest';
import { doing, isPassing } from './google-error.ts';

const refusal = (status: number, ...reasons: readonly string[]) =>
  new GoogleRefusal('get', { status, reasons, said: '' });

test.each([
  ['a quota of calls per minute that is used up', refusal(403, 'rateLimitExceeded'), true],
  ['a token that has expired', refusal(401, 'authError'), true],
  ['a fault of Google', refusal(503), true],
  ['a right that is missing', refusal(403, 'forbidden'), false],
  ['a quota of machines that is used up', refusal(403, 'quotaExceeded'), false],
  ['what is no answer of Google', new Error('it failed'), undefined],
])('Whether it may pass: %s', (_what, thrown, passes) => {
  expect(isPassing(thrown)).toBe(passes);
});

test('a request that counts against a project of gcloud is not explained by a service that is off', async () => {
  const said = 'The cloudkms.googleapis.com API requires a quota project, which is not set by default.';
  const refused = () => Promise.reject(new GoogleRefusal('get', { status: 403, reasons: ['SERVICE_DISABLED'], said }));
  await expect(doing('open the key', refused)).rejects.toMatchObject({
    next: expect.stringContaining('set-quota-project'),
  });
});
