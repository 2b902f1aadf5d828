import { expect, test } from 'vitest';
import { createCertificateAuthority } from './authority.ts';
import { parseKeyset, printKeyset, primary, publicHalf, trustedCertificates } from './keyset.ts';
import { distrusting, outlivedCertificates, trustingPredecessor } from './succession.ts';

const BORN_MS = Date.parse('2026-01-01T00:00:00Z');
const DAY_MS = 24 * 60 * 60_000;
const old = await createCertificateAuthority({ commonName: 'old', nowMs: BORN_MS - 300 * DAY_MS });
const distrusted = { ...(await createCertificateAuthority({ commonName: 'old', nowMs: BORN_MS })).items[0], id: '1' };
const predecessor = { ...old, items: [...old.items, { ...distrusted, distrustedMs: BORN_MS }] };
const made = await createCertificateAuthority({ commonName: 'new', nowMs: BORN_MS });
const successor = trustingPredecessor(made, predecessor);

const outlived = (days: number) => outlivedCertificates(successor, predecessor, 60, BORN_MS + days * DAY_MS);

test('a keyset that takes over signs with its own key, and trusts what its predecessor has signed', () => {
  expect(primary(successor).privateKeyPem).toBe(primary(made).privateKeyPem);
  expect(trustedCertificates(successor)).toBe(trustedCertificates(made) + trustedCertificates(old));
  expect(printKeyset(successor)).not.toContain(Buffer.from(primary(old).privateKeyPem).toString('base64'));
});

test('it is the same keyset after it was written and read', () => {
  expect(parseKeyset(printKeyset(successor))).toEqual(successor);
  expect(parseKeyset(printKeyset(publicHalf(successor)))).toEqual(publicHalf(successor));
});

test('once all that the predecessor signed has expired, its certificates are no longer trusted', () => {
  expect(outlived(59)).toEqual([]);
  expect(outlived(61).map(({ id }) => id)).toEqual([old.primaryId]);
  const alone = distrusting(successor, outlived(61), BORN_MS + 61 * DAY_MS);
  expect(trustedCertificates(alone)).toBe(trustedCertificates(made));
  expect(outlivedCertificates(alone, predecessor, 60, BORN_MS + 62 * DAY_MS)).toEqual([]);
});

test('certificates that a person added stay', async () => {
  const [brought] = (await createCertificateAuthority({ commonName: 'brought', nowMs: BORN_MS })).items;
  if (brought === undefined) throw new Error('an authority has a certificate');
  const { privateKeyPem: _, ...added } = brought;
  const keyset = { ...successor, items: [...successor.items, added] };
  const gone = outlivedCertificates(keyset, predecessor, 60, BORN_MS + 61 * DAY_MS);
  expect(gone.map(({ id }) => id)).toEqual([old.primaryId]);
});
