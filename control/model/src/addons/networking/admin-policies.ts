import type { AddonObject } from '../addon-object.ts';
import { customKind } from '../custom-kind.ts';

export const ADMIN_POLICIES = 'policy.networking.k8s.io';
/** Kubernetes accepts CustomResourceDefinitions in groups of its own only with a link to their API review. */
const APPROVAL = {
  'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/network-policy-api/pull/30',
};

export type AdminPolicyKind = 'AdminNetworkPolicy' | 'BaselineAdminNetworkPolicy';

/** Cluster-wide network policies, which some networks enforce (network-policy-api.sigs.k8s.io). */
export const adminPolicyKinds = (kinds: readonly AdminPolicyKind[]): readonly AddonObject[] =>
  kinds.map((kind) =>
    customKind({
      group: ADMIN_POLICIES,
      kind,
      plural: kind.toLowerCase().replace(/y$/, 'ies'),
      version: 'v1alpha1',
      hasStatus: true,
      annotations: APPROVAL,
    }),
  );
