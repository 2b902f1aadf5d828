import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { serviceAccountRoleName } from '../../cloud/aws/iam/service-accounts.ts';
import { partitionOf, regionOf } from '../../cloud/aws/region.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { CONTROL_PLANE_ONLY } from '../control-plane-only.ts';

/**
 * The number of the AWS account, in place of which protokube's leader puts what its machine's metadata says. A plan
 * that is made without a call to AWS cannot know it.
 */
export const AWS_ACCOUNT = '@{account}';

const TOKEN_FOLDER = '/var/run/secrets/amazonaws.com/';
const TOKEN_VOLUME = 'token-amazonaws-com';
const TOKEN_SECONDS = 86_400;

/** A role of the cluster's own, by the name of the service account that takes it. */
export function roleArn(facts: ClusterFacts, account: { readonly name: string; readonly namespace: string }): string {
  const partition = partitionOf(regionOf(facts.clusterName, facts.spec));
  return `arn:${partition}:iam::${AWS_ACCOUNT}:role/${serviceAccountRoleName(facts, account)}`;
}

/**
 * A pod that calls AWS: beside an API server, with the permissions of that machine, or where each component has a role
 * of its own with a token that AWS takes for it.
 *
 * @param account its service account in kube-system, whose name is in the role's too
 */
export function callingAws(facts: ClusterFacts, account: string, pod: JsonObject): JsonObject {
  const placed: JsonObject = {
    affinity: CONTROL_PLANE_ONLY,
    // The metadata service answers machines, and pods only where it is told to.
    hostNetwork: true,
    tolerations: [{ operator: 'Exists' }],
    ...pod,
    serviceAccountName: account,
  };
  if (facts.spec.iam?.useServiceAccountExternalPermissions !== true) return placed;
  const token = { audience: 'amazonaws.com', expirationSeconds: TOKEN_SECONDS, path: 'token' };
  return {
    ...placed,
    containers: list(pod['containers']).map((container) => ({
      ...container,
      env: [
        ...list(container['env']),
        { name: 'AWS_ROLE_ARN', value: roleArn(facts, { name: account, namespace: 'kube-system' }) },
        { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${TOKEN_FOLDER}token` },
      ],
      volumeMounts: [
        ...list(container['volumeMounts']),
        { mountPath: TOKEN_FOLDER, name: TOKEN_VOLUME, readOnly: true },
      ],
    })),
    volumes: [
      ...list(pod['volumes']),
      { name: TOKEN_VOLUME, projected: { defaultMode: 0o644, sources: [{ serviceAccountToken: token }] } },
    ],
  };
}

const isFields = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isFields) : []);
