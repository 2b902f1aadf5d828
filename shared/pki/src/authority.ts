import { randomInt } from 'node:crypto';
import { createKeyPair, givenPair, importSigningKey } from './key-pair.ts';
import type { Keyset } from './keyset.ts';
import { serialAt, serialToHex } from './serial.ts';
import { loadX509 } from './x509.ts';

/** Clocks differ. kops dates its certificates back by as much (pkg/pki/certificate.go). */
const BACKDATE_MS = 48 * 60 * 60 * 1000;

export interface AuthorityRequest {
  /** Also the name of the keyset, e.g. `kubernetes-ca`. */
  readonly commonName: string;
  readonly nowMs: number;
  /** Default 10. */
  readonly validityYears?: number;
  /** The key that it gets, in any PEM form; a new one unless given. */
  readonly privateKeyPem?: string | undefined;
}

/** A new keyset with one certificate authority: self-signed, ECDSA P-256 unless a key is given. */
export async function createCertificateAuthority(request: AuthorityRequest): Promise<Keyset> {
  return selfSigned({ ...request, isAuthority: true });
}

/**
 * The key by which service-account tokens are signed (ES256). It comes with a certificate because kops's keysets
 * do, though nothing verifies it.
 */
export async function createServiceAccountKeyset(
  request: Pick<AuthorityRequest, 'nowMs' | 'privateKeyPem'>,
): Promise<Keyset> {
  return selfSigned({ ...request, commonName: 'service-account', isAuthority: false });
}

async function selfSigned(request: AuthorityRequest & { readonly isAuthority: boolean }): Promise<Keyset> {
  const x509 = await loadX509();
  const { privateKeyPem, publicKey } =
    request.privateKeyPem === undefined ? await createKeyPair() : givenPair(request.privateKeyPem, request.commonName);
  const signing = await importSigningKey(privateKeyPem, request.commonName);
  const id = serialAt(request.nowMs, randomInt(2 ** 32));
  const notAfter = new Date(request.nowMs);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + (request.validityYears ?? 10));
  const usages = request.isAuthority
    ? x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign
    : x509.KeyUsageFlags.digitalSignature;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const name = new x509.Name([{ CN: [{ utf8String: request.commonName }] }]);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialToHex(id),
    subject: name,
    issuer: name,
    notBefore: new Date(request.nowMs - BACKDATE_MS),
    notAfter,
    publicKey: spki,
    signingKey: signing.key,
    signingAlgorithm: signing.algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(request.isAuthority, undefined, true),
      new x509.KeyUsagesExtension(usages, true),
      await x509.SubjectKeyIdentifierExtension.create(spki),
    ],
  });
  const certificatePem = `${certificate.toString('pem').trimEnd()}\n`;
  return { name: request.commonName, primaryId: id, items: [{ id, certificatePem, privateKeyPem }] };
}
