import type { CiliumNetworking } from '@kopsctl/spec/cluster.ts';
import { accountWith, roleIn, type Rule } from '../access.ts';
import type { AddonObject } from '../addon-object.ts';
import { GATEWAY_RULES, usesGateway } from './cilium-gateway.ts';
import { INGRESS_RULES, usesIngress } from './cilium-ingress.ts';
import { envoySecrets } from './cilium-secrets.ts';

const CILIUM = 'cilium.io';
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'patch', 'update'];

/** The CustomResourceDefinitions that the operator creates and updates, of all supported releases. */
const KINDS = [
  'ciliumbgpadvertisements',
  'ciliumbgpclusterconfigs',
  'ciliumbgpnodeconfigoverrides',
  'ciliumbgpnodeconfigs',
  'ciliumbgppeerconfigs',
  'ciliumbgppeeringpolicies',
  'ciliumcidrgroups',
  'ciliumclusterwideenvoyconfigs',
  'ciliumclusterwidenetworkpolicies',
  'ciliumegressgatewaypolicies',
  'ciliumendpoints',
  'ciliumendpointslices',
  'ciliumenvoyconfigs',
  'ciliumexternalworkloads',
  'ciliumgatewayclassconfigs',
  'ciliumidentities',
  'ciliuml2announcementpolicies',
  'ciliumloadbalancerippools',
  'ciliumlocalredirectpolicies',
  'ciliumnetworkpolicies',
  'ciliumnodeconfigs',
  'ciliumnodes',
  'ciliumpodippools',
];

/**
 * Permissions of the agents (Cilium's cilium-agent/clusterrole.yaml). Cilium's kinds differ by release, so agents may read all of
 * them.
 */
const AGENT_RULES: readonly Rule[] = [
  { group: 'networking.k8s.io', resources: ['networkpolicies'], verbs: READ },
  { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: READ },
  { group: '', resources: ['namespaces', 'services', 'pods', 'endpoints', 'nodes'], verbs: READ },
  { group: 'apiextensions.k8s.io', resources: ['customresourcedefinitions'], verbs: READ },
  { group: CILIUM, resources: ['*'], verbs: READ },
  { group: CILIUM, resources: ['ciliumidentities'], verbs: ['create', 'update'] },
  { group: CILIUM, resources: ['ciliumendpoints'], verbs: ['create', 'delete', 'patch'] },
  { group: CILIUM, resources: ['ciliumnodes', 'ciliumnodes/status'], verbs: ['create', 'update'] },
  {
    group: CILIUM,
    resources: [
      'ciliumbgpnodeconfigs/status',
      'ciliumclusterwidenetworkpolicies/status',
      'ciliumendpoints/status',
      'ciliuml2announcementpolicies/status',
      'ciliumnetworkpolicies/status',
    ],
    verbs: ['patch'],
  },
];

const OPERATOR_RULES: readonly Rule[] = [
  // It restarts pods of the cluster's DNS that started before Cilium.
  { group: '', resources: ['pods'], verbs: [...READ, 'delete'] },
  { group: '', resources: ['nodes'], verbs: ['list', 'watch', 'patch'] },
  { group: '', resources: ['nodes/status'], verbs: ['patch'] },
  { group: '', resources: ['namespaces', 'services', 'endpoints'], verbs: READ },
  { group: '', resources: ['services/status'], verbs: ['patch', 'update'] },
  { group: '', resources: ['configmaps'], names: ['cilium-config'], verbs: ['patch'] },
  { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: READ },
  // It manages all objects of its own kinds.
  { group: CILIUM, resources: ['*'], verbs: ['create', 'delete', 'deletecollection', 'patch', 'update', ...READ] },
  { group: 'apiextensions.k8s.io', resources: ['customresourcedefinitions'], verbs: ['create', ...READ] },
  {
    group: 'apiextensions.k8s.io',
    resources: ['customresourcedefinitions'],
    names: KINDS.map((kind) => `${kind}.${CILIUM}`),
    verbs: ['update'],
  },
  { group: 'coordination.k8s.io', resources: ['leases'], verbs: ['create', 'get', 'update'] },
];

/** The operator makes a Service for each load balancer, reads the certificates of Ingresses and Gateways, and has agents configure Envoy. */
const ENVOY_RULES: readonly Rule[] = [
  { group: '', resources: ['secrets'], verbs: READ },
  { group: '', resources: ['endpoints', 'services'], verbs: WRITE },
  { group: 'discovery.k8s.io', resources: ['endpointslices'], verbs: WRITE },
];

/** Service accounts of Cilium's agents and operator, and their permissions. */
export function ciliumAccess(wished: CiliumNetworking): readonly AddonObject[] {
  const [ingress, gateway] = [usesIngress(wished), usesGateway(wished)];
  return [
    ...accountWith('cilium', 'cilium', AGENT_RULES),
    ...roleIn('cilium-config-agent', 'cilium', [{ group: '', resources: ['configmaps'], verbs: READ }]),
    ...accountWith('cilium-operator', 'cilium-operator', [
      ...OPERATOR_RULES,
      ...(ingress || gateway ? ENVOY_RULES : []),
      ...(ingress ? INGRESS_RULES : []),
      ...(gateway ? GATEWAY_RULES : []),
    ]),
    ...(ingress || gateway ? envoySecrets() : []),
  ];
}
