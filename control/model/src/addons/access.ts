import type { Json } from '@kopsctl/tasks/task.ts';
import type { AddonObject } from './addon-object.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** What an account may do: verbs on resources of one API group; the core group is empty. */
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

/** An account of kube-system, what it may do in the whole cluster, and the binding of both. */
export function accountWith(account: string, role: string, rules: readonly Rule[]): readonly AddonObject[] {
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'kube-system' } },
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name: role }, rules: rules.map(apiRule) },
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: role },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
      subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
    },
  ];
}

/** Gives an account a role that Kubernetes itself has in kube-system. */
export const bindSystemRole = (name: string, role: string, account: string): AddonObject => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'RoleBinding',
  metadata: { name, namespace: 'kube-system' },
  roleRef: { apiGroup: RBAC, kind: 'Role', name: role },
  subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'kube-system' }],
});
