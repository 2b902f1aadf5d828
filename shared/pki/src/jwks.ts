import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { Keyset } from './keyset.ts';

/** The public keys of a keyset that are trusted, as a JSON Web Key Set (RFC 7517). */
export function jsonWebKeys({ items }: Keyset): string {
  const keys = items
    .filter(({ distrustedMs }) => distrustedMs === undefined)
    .flatMap(({ certificatePem, privateKeyPem }) => certificatePem ?? privateKeyPem ?? [])
    .map((pem) => webKey(createPublicKey(pem)))
    .toSorted((a, b) => (a.kid < b.kid ? -1 : 1));
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

/** An API server names a key by the SHA-256 of its DER form (Kubernetes pkg/serviceaccount/jwt.go). */
function webKey(key: KeyObject) {
  const kid = createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url');
  return {
    use: 'sig',
    kid,
    alg: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256',
    ...key.export({ format: 'jwk' }),
  };
}
