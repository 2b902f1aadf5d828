import type { Json, JsonObject } from '@kopsctl/tasks/task.ts';
import { isRecord } from '@kopsctl/tasks/record.ts';
import { isArray } from '@kopsctl/tasks/references.ts';
import { serviceAccountRoleName } from '../model/iam/service-accounts.ts';
import { partitionOf, regionOf } from '../region.ts';
import type { ClusterFacts } from '@kopsctl/model/cluster-facts.ts';
import { ACCOUNT } from '@kopsctl/model/addons/account.ts';
import { asControlPlane } from '@kopsctl/model/addons/as-control-plane.ts';

const TOKEN_FOLDER = '/var/run/secrets/amazonaws.com/';
const TOKEN_VOLUME = 'token-amazonaws-com';
const TOKEN_SECONDS = 86_400;

/** The role of the cluster that a service account assumes. */
export function roleArn(facts: ClusterFacts, account: { readonly name: string; readonly namespace: string }): string {
  const partition = partitionOf(regionOf(facts.clusterName, facts.spec));
  return `arn:${partition}:iam::${ACCOUNT}:role/${serviceAccountRoleName(facts, account)}`;
}

/**
 * A pod that calls AWS. It runs on a control-plane machine and has that machine's permissions or, where each component
 * has its own role, exchanges a token for that role.
 *
 * @param account the service account in kube-system; the name of the role contains it
 */
export function callingAws(facts: ClusterFacts, account: string, pod: JsonObject): JsonObject {
  const placed = asControlPlane(account, pod);
  return facts.spec.iam?.useServiceAccountExternalPermissions === true ? withRole(facts, account, placed) : placed;
}

/** A pod that exchanges a token of its service account for the role of that account. */
export function withRole(facts: ClusterFacts, account: string, pod: JsonObject): JsonObject {
  const token = { audience: 'amazonaws.com', expirationSeconds: TOKEN_SECONDS, path: 'token' };
  return {
    ...pod,
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

const list = (value: Json | undefined): readonly JsonObject[] =>
  isArray(value) ? value.filter((one) => isRecord(one)) : [];
