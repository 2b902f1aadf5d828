import { accountWith, type Rule } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { ADMIN_POLICIES } from './admin-policies.ts';
import { CALICO } from './calico-kinds.ts';

const READ = ['get', 'list', 'watch'];
const KEEP = ['create', 'delete', 'get', 'list', 'update', 'watch'];
const own = (resources: readonly string[], verbs: readonly string[]): Rule => ({ group: CALICO, resources, verbs });

/** Permissions of calico-node on its own kinds (Calico's calico-node-rbac.yaml). */
const NODE_RULES: readonly Rule[] = [
  { group: '', resources: ['serviceaccounts/token'], names: ['calico-cni-plugin', 'calico-node'], verbs: ['create'] },
  { group: '', resources: ['pods', 'nodes', 'namespaces'], verbs: READ },
  { group: '', resources: ['endpoints', 'services', 'serviceaccounts'], verbs: READ },
  { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: ['list', 'watch'] },
  { group: '', resources: ['configmaps'], verbs: ['get'] },
  { group: '', resources: ['nodes/status'], verbs: ['patch', 'update'] },
  { group: '', resources: ['pods/status'], verbs: ['patch'] },
  { group: 'networking.k8s.io', resources: ['networkpolicies'], verbs: ['list', 'watch'] },
  {
    group: ADMIN_POLICIES,
    resources: ['adminnetworkpolicies', 'baselineadminnetworkpolicies'],
    verbs: ['list', 'watch'],
  },
  { group: 'apps', resources: ['daemonsets'], verbs: ['get'] },
  own(
    [
      'bgpconfigurations',
      'bgpfilters',
      'bgppeers',
      'blockaffinities',
      'caliconodestatuses',
      'clusterinformations',
      'felixconfigurations',
      'globalnetworkpolicies',
      'globalnetworksets',
      'hostendpoints',
      'ipamblocks',
      'ippools',
      'ipreservations',
      'networkpolicies',
      'networksets',
      'stagedglobalnetworkpolicies',
      'stagedkubernetesnetworkpolicies',
      'stagednetworkpolicies',
      'tiers',
    ],
    READ,
  ),
  own(
    ['bgpconfigurations', 'bgppeers', 'clusterinformations', 'felixconfigurations', 'ippools', 'tiers'],
    ['create', 'update'],
  ),
  own(['caliconodestatuses'], ['update']),
  own(['blockaffinities', 'ipamblocks', 'ipamhandles'], KEEP),
  own(['ipamconfigs'], ['create', 'get']),
];

/** Permissions of the CNI plugin, which uses a token that calico-node creates for it (v3.26 and later). */
const PLUGIN_RULES: readonly Rule[] = [
  { group: '', resources: ['pods', 'nodes', 'namespaces'], verbs: ['get'] },
  { group: '', resources: ['pods/status'], verbs: ['patch'] },
  own(
    ['blockaffinities', 'clusterinformations', 'ipamblocks', 'ipamconfigs', 'ipamhandles', 'ippools', 'ipreservations'],
    ['create', 'delete', 'get', 'list', 'update'],
  ),
];

const CONTROLLER_RULES: readonly Rule[] = [
  { group: '', resources: ['nodes', 'pods'], verbs: READ },
  { group: '', resources: ['services', 'services/status'], verbs: ['get', 'list', 'update', 'watch'] },
  own(['blockaffinities', 'hostendpoints', 'ipamblocks', 'ipamconfigs', 'ipamhandles', 'tiers'], KEEP),
  own(['ippools', 'ipreservations'], ['list', 'watch']),
  own(['clusterinformations', 'kubecontrollersconfigurations'], ['create', 'get', 'list', 'update', 'watch']),
];

/** Calico's service accounts and their permissions. */
export const calicoAccess = (): readonly AddonObject[] => [
  ...accountWith('calico-node', 'calico-node', NODE_RULES),
  ...accountWith('calico-cni-plugin', 'calico-cni-plugin', PLUGIN_RULES),
  ...accountWith('calico-kube-controllers', 'calico-kube-controllers', CONTROLLER_RULES),
];
