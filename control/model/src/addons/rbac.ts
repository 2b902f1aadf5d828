import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import { clusterRole, type Rule } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { podNetworkPolicy } from './pod-network-policy.ts';

interface Binding {
  readonly name: string;
  readonly role: string;
  readonly subject: { readonly kind: 'Group' | 'User'; readonly name: string };
}

/** Bindings to default roles of Kubernetes, and the authority's to its own. */
const BINDINGS: readonly Binding[] = [
  // kube-proxy uses the credentials of its node.
  { name: 'kops:node-proxier', role: 'system:node-proxier', subject: { kind: 'Group', name: 'system:nodes' } },
  // The API server calls kubelets (logs, exec) as this user.
  {
    name: 'kops:system:kubelet-api-admin',
    role: 'system:kubelet-api-admin',
    subject: { kind: 'User', name: 'kubelet-api' },
  },
  { name: AUTHORITY_USER, role: AUTHORITY_USER, subject: { kind: 'User', name: AUTHORITY_USER } },
];

const CERTIFICATES = 'certificates.k8s.io';

/**
 * What an authority of nodes does: it requests and approves kubelets' certificates, and denies what others request of
 * the same signers. Nobody else's requests are approved: no default role of Kubernetes for that is bound.
 */
const AUTHORITY_RULES: readonly Rule[] = [
  {
    group: CERTIFICATES,
    resources: ['certificatesigningrequests'],
    verbs: ['create', 'get', 'list', 'watch'],
  },
  { group: CERTIFICATES, resources: ['certificatesigningrequests/approval'], verbs: ['update'] },
  {
    group: CERTIFICATES,
    resources: ['signers'],
    names: ['kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'],
    verbs: ['approve'],
  },
  { group: '', resources: ['nodes'], verbs: ['get', 'delete'] },
  { group: '', resources: ['pods'], verbs: ['list'] },
];

/** Permissions beyond the defaults of Kubernetes, and one that it gives kubelets and that they must not have. */
export const rbacObjects = (kubernetesVersion: string): readonly AddonObject[] => [
  clusterRole(AUTHORITY_USER, AUTHORITY_RULES),
  ...BINDINGS.map(binding),
  ...podNetworkPolicy(kubernetesVersion),
];

function binding({ name, role, subject }: Binding): AddonObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: subject.kind, name: subject.name }],
  };
}
