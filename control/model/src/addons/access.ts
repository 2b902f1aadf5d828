import type { Json } from '@kopsctl/tasks/task.ts';
import type { AddonObject } from './addon-object.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** A permission: verbs on resources of one API group. The core group is the empty string. */
export interface Rule {
  readonly group: string;
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly names?: readonly string[];
}

const apiRule = ({ group, resources, verbs, names }: Rule): Json => ({
  apiGroups: [group],
  resources,
  verbs,
  ...(names === undefined ? {} : { resourceNames: names }),
});

/** A ClusterRole. */
export const clusterRole = (name: string, rules: readonly Rule[]): AddonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules: rules.map(apiRule),
});

/** A Role in a namespace. */
export const namespacedRole = (name: string, namespace: string, rules: readonly Rule[]): AddonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'Role',
  metadata: { name, namespace },
  rules: rules.map(apiRule),
});

const account = (name: string, namespace: string) => ({ kind: 'ServiceAccount', name, namespace });

/** A ServiceAccount with a ClusterRole and its binding. */
export function accountWith(
  name: string,
  role: string,
  rules: readonly Rule[],
  namespace = 'kube-system',
): readonly AddonObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    clusterRole(role, rules),
    bindClusterRole(role, role, name, namespace),
  ];
}

/** Binds a ClusterRole to a service account. */
export const bindClusterRole = (
  name: string,
  role: string,
  holder: string,
  namespace = 'kube-system',
): AddonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  subjects: [account(holder, namespace)],
});

interface Place {
  readonly namespace?: string;
  readonly holderNamespace?: string;
  /** The name of the binding; that of the role by default. */
  readonly binding?: string;
}

/** A Role in a namespace, by default that of the service account, and its binding. */
export function roleIn(
  name: string,
  holder: string,
  rules: readonly Rule[],
  { namespace = 'kube-system', holderNamespace = namespace, binding = name }: Place = {},
): readonly AddonObject[] {
  return [
    namespacedRole(name, namespace, rules),
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: binding, namespace },
      roleRef: { apiGroup: RBAC, kind: 'Role', name },
      subjects: [account(holder, holderNamespace)],
    },
  ];
}

/** Binds a service account to a default Role of Kubernetes in kube-system. */
export const bindSystemRole = (
  name: string,
  role: string,
  holder: string,
  holderNamespace = 'kube-system',
): AddonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata: { name, namespace: 'kube-system' },
  roleRef: { apiGroup: RBAC, kind: 'Role', name: role },
  subjects: [account(holder, holderNamespace)],
});
