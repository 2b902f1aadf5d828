import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIPv6, SocketAddress } from 'node:net';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { CertificateUsage } from './issue.ts';

export interface InspectedCertificate {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly usages: readonly CertificateUsage[];
  /** As RFC 2253 writes names: the most specific part first. */
  readonly subject: string;
  readonly issuer: string;
  readonly isAuthority: boolean;
  /** The length of an RSA key. */
  readonly keyBits?: number;
  /** Whether one of the given authorities signed it; absent when none was given. */
  readonly isSignedByAuthority?: boolean;
  /** Since when the authority that signed it is valid; absent when it is none of those given. */
  readonly authorityNotBeforeMs?: number;
  /** Whether the given private key belongs to it; absent when none was given. */
  readonly keyMatches?: boolean;
}

const USAGE_OF_OID: Readonly<Record<string, CertificateUsage>> = {
  '1.3.6.1.5.5.7.3.1': 'server',
  '1.3.6.1.5.5.7.3.2': 'client',
};

/**
 * What a certificate states and, if given, whether one of the authorities (a PEM bundle) signed it and whether it
 * belongs to the private key. Reads with Node's own parser; no library is loaded.
 */
export function inspectCertificate(
  pem: string,
  against: { readonly authoritiesPem?: string; readonly privateKeyPem?: string } = {},
): InspectedCertificate {
  const certificate = parseCertificate(pem);
  const names = subjectAlternatives(certificate.subjectAltName ?? '');
  const { authoritiesPem } = against;
  const authority = authoritiesPem === undefined ? undefined : signerAmong(authoritiesPem, certificate);
  const keyBits = certificate.publicKey.asymmetricKeyDetails?.modulusLength;
  return {
    notBeforeMs: certificate.validFromDate.getTime(),
    notAfterMs: certificate.validToDate.getTime(),
    commonName: attributes(certificate.subject, 'CN')[0] ?? '',
    organizations: attributes(certificate.subject, 'O'),
    dnsNames: names.filter((name) => name.kind === 'DNS').map((name) => name.value),
    ipAddresses: names.filter((name) => name.kind === 'IP Address').map((name) => canonicalAddress(name.value)),
    usages: extendedUsages(certificate),
    subject: inOneLine(certificate.subject),
    issuer: inOneLine(certificate.issuer),
    isAuthority: certificate.ca,
    ...(keyBits !== undefined && { keyBits }),
    ...(authoritiesPem !== undefined && { isSignedByAuthority: authority !== undefined }),
    ...(authority && { authorityNotBeforeMs: authority.validFromDate.getTime() }),
    ...(against.privateKeyPem !== undefined && { keyMatches: matchesKey(certificate, against.privateKeyPem) }),
  };
}

/** One spelling for every IPv6 address, so that addresses can be compared as text. */
export function canonicalAddress(address: string): string {
  return isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new ActionableError({
      what: 'read a certificate',
      why: `it is not a certificate in PEM (${messageOf(cause)}); it begins ${JSON.stringify(pem.slice(0, 40))}`,
      next: 'remove the file so that a new certificate is issued',
      cause,
    });
  }
}

/** Node writes a line for each part, the most general first. */
const inOneLine = (name: string): string => name.split('\n').toReversed().join(',');

/** Node writes `O=system:masters\nCN=admin`, with a backslash before special characters. */
function attributes(subject: string, type: string): string[] {
  const lines = (subject ?? '').split('\n').filter((line) => line.startsWith(`${type}=`));
  return lines.map((line) => line.slice(type.length + 1).replaceAll(/\\(.)/g, '$1'));
}

/** Node writes `DNS:a, IP Address:10.0.0.1`, and values that hold a comma or quote as JSON strings. */
function subjectAlternatives(text: string): { readonly kind: string; readonly value: string }[] {
  const found = text.matchAll(/([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g);
  return [...found].map(([, kind = '', value = '']) => ({
    kind,
    value: value.startsWith('"') ? String(JSON.parse(value)) : value,
  }));
}

function extendedUsages(certificate: X509Certificate): CertificateUsage[] {
  // Node calls the OIDs of the extended key usage "keyUsage", and gives undefined where there is none.
  const oids: readonly string[] | undefined = certificate.keyUsage;
  return (oids ?? []).flatMap((oid) => USAGE_OF_OID[oid] ?? []);
}

/** The authority that signed a certificate; undefined if none of these did. */
function signerAmong(authoritiesPem: string, certificate: X509Certificate): X509Certificate | undefined {
  const blocks = authoritiesPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks
    .map((block) => parseCertificate(block))
    .find((authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
}

function matchesKey(certificate: X509Certificate, privateKeyPem: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(privateKeyPem));
  } catch {
    return false; // A key that cannot be read is not the key of this certificate.
  }
}
