import { randomInt, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { createKeyPair, importSigningKey } from './key-pair.ts';
import { primary, type Keyset } from './keyset.ts';
import { serialAt, serialToHex } from './serial.ts';
import { loadX509 } from './x509.ts';

export type CertificateUsage = 'client' | 'server';

/** What a leaf certificate states: the part of a request that a certificate is compared with. */
export interface CertificateSubject {
  readonly commonName: string;
  /** Kubernetes reads them as groups. */
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly usages: readonly CertificateUsage[];
}

export interface LeafRequest extends CertificateSubject {
  readonly authority: Keyset;
  readonly validityDays: number;
  readonly nowMs: number;
}

/** The clock of a machine that has just booted may be behind. */
const BACKDATE_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A new ECDSA P-256 key and a certificate for it, signed by the primary key of the authority. */
export async function issueLeaf(
  request: LeafRequest,
): Promise<{ readonly certificatePem: string; readonly privateKeyPem: string }> {
  const { privateKeyPem, publicKey } = await createKeyPair();
  return { certificatePem: await sign(request, publicKey), privateKeyPem };
}

async function sign(request: LeafRequest, publicKey: KeyObject): Promise<string> {
  const x509 = await loadX509();
  const signer = primary(request.authority);
  const signing = await importSigningKey(signer.privateKeyPem, `the authority ${request.authority.name}`);
  const issuer = new x509.X509Certificate(signer.certificatePem);
  const issuerKeyId = issuer.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialToHex(serialAt(request.nowMs, randomInt(2 ** 32))),
    subject: subjectOf(x509, request),
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(request.nowMs - BACKDATE_MS, issuer.notBefore.getTime())),
    // A leaf that outlives its authority would fail later and with a less clear error.
    notAfter: new Date(Math.min(request.nowMs + request.validityDays * DAY_MS, issuer.notAfter.getTime())),
    publicKey: spki,
    signingKey: signing.key,
    signingAlgorithm: signing.algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(keyUsages(x509, request, publicKey), true),
      new x509.ExtendedKeyUsageExtension(request.usages.map((usage) => x509.ExtendedKeyUsage[`${usage}Auth`])),
      await x509.SubjectKeyIdentifierExtension.create(spki),
      ...(issuerKeyId === undefined ? [] : [new x509.AuthorityKeyIdentifierExtension(issuerKeyId)]),
      ...alternativeNames(x509, request),
    ],
  });
  return `${certificate.toString('pem').trimEnd()}\n`;
}

type X509 = typeof import('@peculiar/x509');

/**
 * Each organization is a separate part of the name, as in Go. The string type is given because the library would
 * otherwise read quotes and a leading # in a value as syntax.
 */
function subjectOf(x509: X509, request: CertificateSubject) {
  const organizations = (request.organizations ?? []).map((name) => ({ O: [{ utf8String: name }] }));
  return new x509.Name([...organizations, { CN: [{ utf8String: request.commonName }] }]);
}

/** Only RSA key exchange encrypts with the key of the certificate. */
function keyUsages(x509: X509, request: CertificateSubject, publicKey: KeyObject): number {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const encrypts = publicKey.asymmetricKeyType === 'rsa' && request.usages.includes('server');
  return encrypts ? digitalSignature | keyEncipherment : digitalSignature;
}

function alternativeNames(x509: X509, request: CertificateSubject) {
  for (const address of request.ipAddresses ?? []) {
    if (isIP(address) === 0)
      throw new Error(`${JSON.stringify(address)} was requested as an IP address of ${request.commonName}`);
  }
  const names = [
    ...(request.dnsNames ?? []).map((value) => ({ type: 'dns', value }) as const),
    ...(request.ipAddresses ?? []).map((value) => ({ type: 'ip', value }) as const),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}
