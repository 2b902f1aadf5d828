import { expect, test } from 'vitest';
import { createCertificateAuthority, createServiceAccountKeyset } from './authority.ts';
import { inspectCertificate } from './inspect.ts';
import { issueLeaf, type CertificateSubject } from './issue.ts';
import { parseKeyset, primary, printKeyset, trustedCertificates } from './keyset.ts';
import { trustedPublicKeys } from './public-keys.ts';
import { needsRenewal } from './renewal.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const DAY_MS = 24 * 60 * 60 * 1000;

const API_SERVER: CertificateSubject = {
  commonName: 'kubernetes-master',
  organizations: ['system:masters', 'Odd, "Name" = x'],
  dnsNames: ['api.internal.demo.example.com', 'kubernetes.default.svc'],
  ipAddresses: ['100.64.0.1', '127.0.0.1', 'fd00::1'],
  usages: ['client', 'server'],
};

test('A leaf says what was asked for, is signed by its authority and fits its key', async () => {
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
  const leaf = await issueLeaf({ ...API_SERVER, authority, validityDays: 365, nowMs: NOW_MS });
  const inspected = inspectCertificate(leaf.certificatePem, {
    authoritiesPem: trustedCertificates(authority),
    privateKeyPem: leaf.privateKeyPem,
  });
  expect(inspected).toMatchObject({
    ...API_SERVER,
    notBeforeMs: NOW_MS - 60 * 60 * 1000,
    notAfterMs: NOW_MS + 365 * DAY_MS,
    isSignedByAuthority: true,
    keyMatches: true,
  });
  expect(needsRenewal(inspected, API_SERVER, NOW_MS)).toBeUndefined();
});

test('A leaf that was issued while the clock was ahead is issued again, once', async () => {
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
  const issued = async (nowMs: number) => {
    const leaf = await issueLeaf({ ...API_SERVER, authority, validityDays: 365, nowMs });
    return inspectCertificate(leaf.certificatePem, { authoritiesPem: trustedCertificates(authority) });
  };
  expect(needsRenewal(await issued(NOW_MS + 30 * DAY_MS), API_SERVER, NOW_MS)).toMatch(
    /^it is not valid before 2026-12/,
  );
  expect(needsRenewal(await issued(NOW_MS), API_SERVER, NOW_MS)).toBeUndefined();
  // Before its authority is valid, none that is issued is valid.
  const earlyMs = NOW_MS - 3 * DAY_MS;
  expect(needsRenewal(await issued(earlyMs), API_SERVER, earlyMs)).toBeUndefined();
});

test('A leaf of another authority of the same name, or with another key, is told apart', async () => {
  const authority = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
  const stranger = await createCertificateAuthority({ commonName: 'kubernetes-ca', nowMs: NOW_MS });
  const leaf = await issueLeaf({ ...API_SERVER, authority: stranger, validityDays: 1, nowMs: NOW_MS });
  const inspected = inspectCertificate(leaf.certificatePem, {
    authoritiesPem: trustedCertificates(authority),
    privateKeyPem: primary(authority).privateKeyPem,
  });
  expect(inspected).toMatchObject({ isSignedByAuthority: false, keyMatches: false });
});

test('A leaf never outlives its authority', async () => {
  const authority = await createCertificateAuthority({ commonName: 'short-ca', nowMs: NOW_MS, validityYears: 1 });
  const leaf = await issueLeaf({ commonName: 'x', usages: ['client'], authority, validityDays: 3650, nowMs: NOW_MS });
  expect(inspectCertificate(leaf.certificatePem).notAfterMs).toBe(
    inspectCertificate(primary(authority).certificatePem).notAfterMs,
  );
});

test('A new keyset survives printing and has the id that its certificate carries', async () => {
  for (const keyset of [
    await createCertificateAuthority({ commonName: 'etcd-manager-ca-main', nowMs: NOW_MS }),
    await createServiceAccountKeyset({ nowMs: NOW_MS }),
  ]) {
    expect(parseKeyset(printKeyset(keyset))).toEqual(keyset);
    expect(keyset.primaryId).toMatch(/^\d{28}$/);
    expect(trustedPublicKeys(keyset)).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  }
});
