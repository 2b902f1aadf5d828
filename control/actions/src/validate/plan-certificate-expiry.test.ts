import { expect, test } from 'vitest';
import type { ListedKeypair } from '../keys/list-keys.ts';
import { certificateExpiry } from './plan-certificate-expiry.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const pair = (expires: string, changes: Partial<ListedKeypair> = {}): ListedKeypair => ({
  keyset: 'kubernetes-ca',
  id: '7',
  isPrimary: true,
  hasPrivateKey: true,
  expires: `${expires}T00:00:00.000Z`,
  ...changes,
});
const told = (...pairs: readonly ListedKeypair[]) => {
  const { failures, warnings } = certificateExpiry(pairs, [], NOW);
  return [...failures.map(({ message }) => `fails: ${message}`), ...warnings.map(({ message }) => `warns: ${message}`)];
};

test('an authority that has expired is a failure; one that soon will is a warning', () => {
  expect(told(pair('2030-01-01'))).toEqual([]);
  expect(told(pair('2026-12-01'))).toEqual([expect.stringMatching(/^warns: expires at 2026-12-01.*keypair rotate/)]);
  expect(told(pair('2026-11-01'))).toEqual([expect.stringMatching(/^fails: expired at 2026-11-01/)]);
});

test('a pair that only is trusted may expire with a warning, and one that is not trusted without', () => {
  expect(told(pair('2026-11-01', { isPrimary: false }))).toEqual([expect.stringMatching(/^warns: expired/)]);
  expect(told(pair('2026-11-01', { isPrimary: false, distrusted: '2026-10-01T00:00:00.000Z' }))).toEqual([]);
});

test('a service-account key has no certificate that anybody verifies', () => {
  expect(told(pair('2026-11-01', { keyset: 'service-account' }))).toEqual([]);
});

test('a server whose certificate has expired is a failure', () => {
  const expired = { of: 'https://api.example.com', expiresMs: NOW - 1 };
  expect(certificateExpiry([], [expired], NOW).failures).toHaveLength(1);
  expect(certificateExpiry([], [{ ...expired, expiresMs: NOW + 30 * 24 * 3_600_000 }], NOW)).toEqual({
    failures: [],
    warnings: [],
  });
});
