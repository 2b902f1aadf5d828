import { SERVICE_ACCOUNT_KEYSET } from '@kopsctl/model/node/certificates.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from '../aws-context.ts';
import { awsTask } from '../aws-task.ts';

/**
 * The documents that AWS, and anyone else who is shown a service account token, reads about its issuer: where the keys
 * are, and the keys (OpenID Connect Discovery 1.0 §4; kops pkg/model/issuerdiscovery.go).
 */
export function issuerDocuments({ facts }: AwsContext): readonly Task[] {
  const { serviceAccountIssuerDiscovery: discovery, kubeAPIServer } = facts.spec;
  const [, bucket, folder = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(discovery?.discoveryStore ?? '') ?? [];
  const issuer = kubeAPIServer?.serviceAccountIssuer;
  if (bucket === undefined || issuer === undefined) return [];
  const key = (path: string): string => (folder === '' ? path : `${folder}/${path}`);
  const document = {
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    authorization_endpoint: 'urn:kubernetes:programmatic_authorization',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claims_supported: ['sub', 'iss'],
  };
  return [
    awsTask('aws/PublicFile', 'discovery.json', {
      bucket,
      key: key('.well-known/openid-configuration'),
      content: `${JSON.stringify(document, null, 2)}\n`,
      contentType: 'application/json',
    }),
    awsTask('aws/PublicFile', 'keys.json', {
      bucket,
      key: key('openid/v1/jwks'),
      content: { ref: `Keyset/${SERVICE_ACCOUNT_KEYSET}`, output: 'jwks' },
      contentType: 'application/json',
    }),
  ];
}
