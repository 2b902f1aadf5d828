import { nodeUser } from '@kopsctl/node-identity/certificate-request.ts';

const NAME = 'kops-revoked-nodes';
const GROUP = '/apis/admissionregistration.k8s.io/v1';

export const POLICY_PATH = `${GROUP}/validatingadmissionpolicies/${NAME}`;
export const BINDING_PATH = `${GROUP}/validatingadmissionpolicybindings/${NAME}`;

/** The condition under which the API server denies a request, in CEL. A name cannot end its string: it has no quotes. */
export const conditionFor = (nodes: readonly string[]): string =>
  `request.userInfo.username in [${nodes.map((node) => `"${nodeUser(node)}"`).join(', ')}]`;

/**
 * Denies every write by these nodes. The names are in the policy itself: a parameter would make each API server follow
 * all ConfigMaps of the cluster, and could be missing. The policy exists only while a certificate of a revoked machine can
 * be valid, and concerns no other user, not even where it fails.
 */
export const revocationPolicy = (nodes: readonly string[]) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: NAME },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      // `*/*` is every resource and subresource: tokens of service accounts are one.
      resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
    },
    matchConditions: [{ name: 'is-revoked', expression: conditionFor(nodes) }],
    validations: [{ expression: 'false', reason: 'Forbidden', message: 'the machine of this Node was revoked' }],
  },
});

/** Puts the policy into effect. */
export const revocationBinding = () => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: NAME },
  spec: { policyName: NAME, validationActions: ['Deny'] },
});
