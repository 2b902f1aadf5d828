import type { AddonObject } from './addon-object.ts';

interface Binding {
  readonly name: string;
  readonly role: string;
  readonly subject: { readonly kind: 'Group' | 'User'; readonly name: string };
}

/** Bindings to default roles of Kubernetes. */
const BINDINGS: readonly Binding[] = [
  // kube-proxy uses the credentials of its node.
  { name: 'kops:node-proxier', role: 'system:node-proxier', subject: { kind: 'Group', name: 'system:nodes' } },
  // New machines may request their certificate and nodes renew theirs; both are approved automatically.
  {
    name: 'kops:kubelet-bootstrap',
    role: 'system:node-bootstrapper',
    subject: { kind: 'Group', name: 'system:bootstrappers:kops' },
  },
  {
    name: 'kops:kubelet-bootstrap-approve',
    role: 'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    subject: { kind: 'Group', name: 'system:bootstrappers:kops' },
  },
  {
    name: 'kops:kubelet-renew-approve',
    role: 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    subject: { kind: 'Group', name: 'system:nodes' },
  },
  // The API server calls kubelets (logs, exec) as this user.
  {
    name: 'kops:system:kubelet-api-admin',
    role: 'system:kubelet-api-admin',
    subject: { kind: 'User', name: 'kubelet-api' },
  },
];

/** Permissions beyond the defaults of Kubernetes. */
export function rbacObjects(): readonly AddonObject[] {
  return BINDINGS.map(({ name, role, subject }) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: subject.kind, name: subject.name }],
  }));
}
