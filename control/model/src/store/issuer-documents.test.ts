import { expect, test } from 'vitest';
import { issuerDocuments } from './issuer-documents.ts';

test('whoever checks a token finds the keys by its issuer', () => {
  const [discovery, keys] = issuerDocuments('https://issuer.example.com/demo');
  expect(discovery?.path).toBe('.well-known/openid-configuration');
  expect(typeof discovery?.content === 'string' && JSON.parse(discovery.content)).toEqual({
    issuer: 'https://issuer.example.com/demo',
    jwks_uri: `https://issuer.example.com/demo/${keys?.path}`,
    authorization_endpoint: 'urn:kubernetes:programmatic_authorization',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claims_supported: ['sub', 'iss'],
  });
  expect(keys?.content).toEqual({ ref: 'Keyset/service-account', output: 'jwks' });
});
