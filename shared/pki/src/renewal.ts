import { canonicalAddress, type InspectedCertificate } from './inspect.ts';
import type { CertificateSubject } from './issue.ts';

/** Renewed when this share of its life is left: a year's certificate has four months of failed attempts to spare. */
const RENEW_WHEN_LEFT = 1 / 3;

/**
 * Why a certificate must be issued again, as a sentence about it, or `undefined` when it may stay. Pure.
 * A property that was not inspected (the signature, the key) counts as correct.
 */
export function needsRenewal(
  found: InspectedCertificate | undefined,
  wanted: CertificateSubject,
  nowMs: number,
): string | undefined {
  if (found === undefined) return 'it does not exist yet';
  if (found.keyMatches === false) return 'its private key is missing or does not match';
  if (found.isSignedByAuthority === false) return 'it is not signed by the authority that signs now';
  if (nowMs >= found.notAfterMs) return `it expired at ${new Date(found.notAfterMs).toISOString()}`;
  if (beginsTooLate(found, nowMs)) return `it is not valid before ${new Date(found.notBeforeMs).toISOString()}`;
  if (found.commonName !== wanted.commonName) return `it names ${found.commonName}, not ${wanted.commonName}`;
  const difference =
    differenceOf('organizations', found.organizations, wanted.organizations ?? []) ??
    differenceOf('DNS names', found.dnsNames, wanted.dnsNames ?? []) ??
    differenceOf('IP addresses', found.ipAddresses, (wanted.ipAddresses ?? []).map(canonicalAddress)) ??
    differenceOf('usages', found.usages, wanted.usages);
  if (difference !== undefined) return difference;
  if (nowMs >= renewAtMs(found)) return `it expires at ${new Date(found.notAfterMs).toISOString()}`;
  return undefined;
}

/**
 * Whether it was issued while a clock was ahead, and one that is issued now would be valid. If its authority is not valid yet
 * either, the clock is behind now. Without knowing the authority nobody can tell: another machine issues it, by its own clock.
 */
function beginsTooLate({ notBeforeMs, authorityNotBeforeMs }: InspectedCertificate, nowMs: number): boolean {
  return authorityNotBeforeMs !== undefined && authorityNotBeforeMs <= nowMs && nowMs < notBeforeMs;
}

/** When a certificate that is otherwise right has to be renewed. */
export function renewAtMs(certificate: Pick<InspectedCertificate, 'notBeforeMs' | 'notAfterMs'>): number {
  return certificate.notAfterMs - (certificate.notAfterMs - certificate.notBeforeMs) * RENEW_WHEN_LEFT;
}

/** None of these lists is ordered. */
function differenceOf(what: string, found: readonly string[], wanted: readonly string[]): string | undefined {
  const missing = wanted.filter((value) => !found.includes(value));
  const extra = found.filter((value) => !wanted.includes(value));
  if (missing.length > 0) return `its ${what} lack ${missing.join(', ')}`;
  if (extra.length > 0) return `its ${what} hold ${extra.join(', ')}, which is no longer wanted`;
  return undefined;
}
