import { expect, test } from 'vitest';
import type { InspectedCertificate } from './inspect.ts';
import type { CertificateSubject } from './issue.ts';
import { needsRenewal } from './renewal.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WANTED: CertificateSubject = {
  commonName: 'kubelet',
  organizations: ['system:nodes'],
  dnsNames: ['node-1'],
  ipAddresses: ['fd00:0:0::1'],
  usages: ['server'],
};
const FOUND: InspectedCertificate = {
  notBeforeMs: 0,
  notAfterMs: 90 * DAY_MS,
  commonName: 'kubelet',
  organizations: ['system:nodes'],
  dnsNames: ['node-1'],
  ipAddresses: ['fd00::1'],
  usages: ['server'],
  subject: 'CN=kubelet,O=system:nodes',
  issuer: 'CN=kubelet-serving-ca',
  isAuthority: false,
  isSignedByAuthority: true,
  keyMatches: true,
};
const AHEAD = { notBeforeMs: 3 * DAY_MS };
const AHEAD_HERE = { ...AHEAD, authorityNotBeforeMs: DAY_MS };

test.each<[string, Partial<InspectedCertificate>, number, RegExp]>([
  ['is right and young: stays', {}, 59 * DAY_MS, /^stays$/],
  ['has a third of its life left', {}, 60 * DAY_MS, /expires at 1970-04-01/],
  ['is expired', {}, 90 * DAY_MS, /expired at 1970-04-01/],
  ['was issued while the clock was ahead', AHEAD_HERE, 2 * DAY_MS, /not valid before 1970-01-04/],
  ['seems to be, because the clock is behind now: stays', AHEAD_HERE, DAY_MS - 1, /^stays$/],
  ['another machine issues by its own clock: stays', AHEAD, 2 * DAY_MS, /^stays$/],
  ['belongs to another key', { keyMatches: false }, 0, /private key/],
  ['is signed by an authority that was rotated away', { isSignedByAuthority: false }, 0, /not signed by/],
  ['names another host', { commonName: 'other' }, 0, /names other, not kubelet/],
  ['lacks an address', { ipAddresses: [] }, 0, /IP addresses lack fd00::1/],
  ['holds a name too many', { dnsNames: ['node-1', 'old'] }, 0, /DNS names hold old/],
  ['is in another group', { organizations: ['x', 'system:nodes'] }, 0, /organizations hold x/],
  ['serves another use', { usages: ['client'] }, 0, /usages lack server/],
])('a certificate that %s', (_, change, nowMs, reason) => {
  expect(needsRenewal({ ...FOUND, ...change }, WANTED, nowMs) ?? 'stays').toMatch(reason);
});

test('a certificate that does not exist is issued', () => {
  expect(needsRenewal(undefined, WANTED, 0)).toBe('it does not exist yet');
});
