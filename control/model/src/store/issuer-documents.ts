import { SERVICE_ACCOUNT_KEYSET } from '../node/certificates.ts';
import type { Text } from '../output.ts';

/** A document that is published below the address of an issuer. */
export interface IssuerDocument {
  /** The name of its task, which is that of kops. */
  readonly name: string;
  /** Below the address of the issuer. */
  readonly path: string;
  readonly content: Text;
  readonly contentType: 'application/json';
}

/**
 * The documents that a cloud, and anyone else who is shown a service account token, reads about its issuer: where the keys
 * are, and the keys (OpenID Connect Discovery 1.0 §4; kops pkg/model/issuerdiscovery.go).
 */
export function issuerDocuments(issuer: string): readonly IssuerDocument[] {
  const discovery = {
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    authorization_endpoint: 'urn:kubernetes:programmatic_authorization',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claims_supported: ['sub', 'iss'],
  };
  return [
    {
      name: 'discovery.json',
      path: '.well-known/openid-configuration',
      content: `${JSON.stringify(discovery, null, 2)}\n`,
      contentType: 'application/json',
    },
    {
      name: 'keys.json',
      path: 'openid/v1/jwks',
      content: { ref: `Keyset/${SERVICE_ACCOUNT_KEYSET}`, output: 'jwks' },
      contentType: 'application/json',
    },
  ];
}
