import { kubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import type { AddonObject } from './addon-object.ts';

export const hasPolicies = (kubernetesVersion: string): boolean =>
  kubernetesFacts(kubernetesVersion)?.admissionPolicies === true;

/** The users whose requests are judged: kubelets, and kube-proxy, which uses their credentials. */
export const OF_KUBELETS = { name: 'kubelet', expression: `'system:nodes' in request.userInfo.groups` };

interface AdmissionPolicy {
  readonly name: string;
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** The core group, unless named. */
  readonly group?: { readonly name: string; readonly version: string };
  readonly resources: readonly string[];
  /** In CEL: selects the users whose requests are judged. */
  readonly condition: { readonly name: string; readonly expression: string };
  /** In CEL, for use in the validations as `variables.<name>`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

/**
 * Limits requests in ways that RBAC cannot express: a policy that the API server evaluates itself.
 *
 * No policy has parameters: the API server of an extension has the same admission, would list the kind of the parameters of any
 * policy, and is not ready where it may not list it.
 */
export function admissionPolicy(policy: AdmissionPolicy): readonly AddonObject[] {
  const { name, operations, group, resources, condition, variables = {}, validations } = policy;
  const rule = { apiGroups: [group?.name ?? ''], apiVersions: [group?.version ?? 'v1'], operations, resources };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [rule] },
        matchConditions: [condition],
        variables: Object.entries(variables).map(([variable, expression]) => ({ name: variable, expression })),
        validations: validations.map((one) => ({ ...one, reason: 'Forbidden' })),
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: ['Deny'],
      },
    },
  ];
}
