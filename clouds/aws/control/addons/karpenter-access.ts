import { accountWith, clusterRole, bindClusterRole, roleIn, type Rule } from '@kopsctl/model/addons/access.ts';
import type { AddonObject } from '@kopsctl/model/addons/addon-object.ts';

const NAME = 'karpenter';
const LEADER = 'karpenter-leader-election';
const OWN = 'karpenter.sh';
const OF_AWS = 'karpenter.k8s.aws';
const READ = ['get', 'list', 'watch'];
const CHANGE = ['patch', 'update'];

const withStatus = (...kinds: readonly string[]): readonly string[] =>
  kinds.flatMap((kind) => [kind, `${kind}/status`]);

/** What it needs to know of pods and machines, and what it does with machines (charts/karpenter of aws/karpenter-provider-aws). */
const CORE_RULES: readonly Rule[] = [
  { group: OWN, resources: withStatus('nodepools', 'nodeclaims', 'nodeoverlays'), verbs: READ },
  {
    group: '',
    resources: [
      'events',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'replicationcontrollers',
    ],
    verbs: READ,
  },
  { group: 'storage.k8s.io', resources: ['csinodes', 'storageclasses', 'volumeattachments'], verbs: READ },
  { group: 'apps', resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], verbs: ['list', 'watch'] },
  { group: 'policy', resources: ['poddisruptionbudgets'], verbs: READ },
  { group: OWN, resources: withStatus('nodeclaims'), verbs: ['create', 'delete', ...CHANGE] },
  { group: OWN, resources: [...withStatus('nodepools'), 'nodeoverlays/status'], verbs: CHANGE },
  { group: '', resources: ['events'], verbs: ['create', 'patch'] },
  { group: '', resources: ['nodes'], verbs: ['delete', ...CHANGE] },
  { group: '', resources: ['pods/eviction'], verbs: ['create'] },
  { group: '', resources: ['pods'], verbs: ['delete'] },
];

/** What persons with the role `admin` may do with its objects. */
const ADMIN_RULES: readonly Rule[] = [
  { group: OWN, resources: withStatus('nodepools', 'nodeclaims'), verbs: [...READ, 'create', 'delete', 'patch'] },
  { group: OF_AWS, resources: ['ec2nodeclasses'], verbs: [...READ, 'create', 'delete', 'patch'] },
];

/** The service account of Karpenter and its permissions. */
export const karpenterAccess = (): readonly AddonObject[] => [
  ...accountWith(NAME, NAME, [
    { group: OF_AWS, resources: ['ec2nodeclasses'], verbs: READ },
    { group: OF_AWS, resources: withStatus('ec2nodeclasses'), verbs: CHANGE },
  ]),
  clusterRole('karpenter-core', CORE_RULES),
  bindClusterRole('karpenter-core', 'karpenter-core', NAME),
  admins(),
  ...roleIn(NAME, NAME, [
    { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create', 'get', 'watch'] },
    { group: 'coordination.k8s.io', resources: ['leases'], names: [LEADER], verbs: CHANGE },
  ]),
  ...roleIn('karpenter-dns', NAME, [{ group: '', resources: ['services'], names: ['kube-dns'], verbs: ['get'] }]),
];

function admins(): AddonObject {
  const role = clusterRole('karpenter-admin', ADMIN_RULES);
  const labels = { 'rbac.authorization.k8s.io/aggregate-to-admin': 'true' };
  return { ...role, metadata: { ...role.metadata, labels } };
}
