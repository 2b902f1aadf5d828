import type { Task } from '@kopsctl/tasks/task.ts';
import type { AwsContext } from '../aws-context.ts';
import { awsTask } from '../aws-task.ts';
import { resourceTags } from '../tags.ts';

/**
 * SHA-1 fingerprints of the root certificates of S3 (kops pkg/model/awsmodel/oidc_provider.go). AWS requires a
 * fingerprint, but trusts S3 without it.
 */
const S3_ROOTS = ['9e99a48a9960b14926bb7f3b02e22da2b0ab7280', 'a9d53002e97e00e043244f3d170d6f4c414104fd'];

/** Makes AWS trust the service account tokens of the cluster. */
export function oidcProvider({ facts }: AwsContext): readonly Task[] {
  const discovery = facts.spec.serviceAccountIssuerDiscovery;
  const issuer = facts.spec.kubeAPIServer?.serviceAccountIssuer;
  if (discovery?.enableAWSOIDCProvider !== true || issuer === undefined) return [];
  return [
    awsTask('aws/OidcProvider', facts.clusterName, {
      url: issuer,
      clientIds: ['amazonaws.com', ...(discovery.additionalAudiences ?? [])],
      thumbprints: S3_ROOTS,
      tags: resourceTags(facts, facts.clusterName),
    }),
  ];
}
