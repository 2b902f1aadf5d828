import { createPublicKey } from 'node:crypto';
import { trustedCertificates, type Keyset } from './keyset.ts';

/**
 * The public keys of a keyset (PEM, `BEGIN PUBLIC KEY`), the primary's first: what kube-apiserver's
 * --service-account-key-file wants. Kubernetes 1.20 reads no PKCS#8 private key there.
 */
export function trustedPublicKeys(keyset: Keyset): string {
  const certificates =
    trustedCertificates(keyset).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g) ?? [];
  return certificates.map((pem) => createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString()).join('');
}
