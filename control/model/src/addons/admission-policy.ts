import type { AddonObject } from './addon-object.ts';

interface AdmissionPolicy {
  readonly name: string;
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  /** Of the core group. */
  readonly resources: readonly string[];
  /** In CEL: whose requests are judged. */
  readonly condition: { readonly name: string; readonly expression: string };
  /** In CEL, for use in the validations as `variables.<name>`. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly validations: readonly { readonly expression: string; readonly message: string }[];
}

/** What requests may be beyond what RBAC can say: a policy that the API server judges itself (Kubernetes 1.30 and later). */
export function admissionPolicy(policy: AdmissionPolicy): readonly AddonObject[] {
  const { name, operations, resources, condition, variables = {}, validations } = policy;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources }] },
        matchConditions: [condition],
        variables: Object.entries(variables).map(([variable, expression]) => ({ name: variable, expression })),
        validations: validations.map((one) => ({ ...one, reason: 'Forbidden' })),
      },
    },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}
