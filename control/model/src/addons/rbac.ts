import { AUTHORITY_USER } from '@kopsctl/node-identity/addresses.ts';
import { clusterRole, namespacedRole, type Rule } from './access.ts';
import type { AddonObject } from './addon-object.ts';
import { nodePlacePolicy } from './node-place-policy.ts';
import { podNetworkPolicy } from './pod-network-policy.ts';
import { staticPodPolicy } from './static-pod-policy.ts';

interface Binding {
  readonly name: string;
  /** The namespace of a Role; absent for a ClusterRole. */
  readonly namespace?: string;
  readonly role: string;
  readonly subject: { readonly kind: 'Group' | 'User'; readonly name: string };
}

/** Nodes have no namespace; their events lie in this one. */
const NAMESPACE_OF_NODE_EVENTS = 'default';

/** Bindings to default roles of Kubernetes, and the authority's bindings to its own two roles. */
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
  {
    name: AUTHORITY_USER,
    namespace: NAMESPACE_OF_NODE_EVENTS,
    role: AUTHORITY_USER,
    subject: { kind: 'User', name: AUTHORITY_USER },
  },
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

/** The authority tells people about machines that it refuses. */
const AUTHORITY_EVENTS: readonly Rule[] = [{ group: '', resources: ['events'], verbs: ['create'] }];

/** Permissions beyond the defaults of Kubernetes, and what it lets kubelets do that they must not. */
export const rbacObjects = (kubernetesVersion: string): readonly AddonObject[] => [
  clusterRole(AUTHORITY_USER, AUTHORITY_RULES),
  namespacedRole(AUTHORITY_USER, NAMESPACE_OF_NODE_EVENTS, AUTHORITY_EVENTS),
  ...BINDINGS.map(binding),
  ...podNetworkPolicy(kubernetesVersion),
  ...nodePlacePolicy(kubernetesVersion),
  ...staticPodPolicy(kubernetesVersion),
];

function binding({ name, namespace, role, subject }: Binding): AddonObject {
  const isOfCluster = namespace === undefined;
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: isOfCluster ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(isOfCluster ? {} : { namespace }) },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: isOfCluster ? 'ClusterRole' : 'Role', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: subject.kind, name: subject.name }],
  };
}
