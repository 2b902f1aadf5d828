import { expect, test } from 'vitest';
import { builtInAddons } from './addons/built-in-addons.ts';
import { awsFacts, GROUPS_WITH_GPU } from './addons/testdata/aws-facts.ts';
import { localFacts } from './addons/testdata/local-facts.ts';
import { rightsOnWorkers } from './addons/testdata/rights-on-workers.ts';
import {
  EVERY_ADDON,
  EVERY_ADDON_ON_GCE,
  EVERY_ADDON_ON_LOCAL,
  KUBERNETES_VERSIONS,
  NETWORKS,
  OWN_ROLES,
} from './addons/testdata/specs.ts';
import type { ClusterFacts } from './cluster-facts.ts';

interface Exception {
  readonly rights: readonly string[];
  readonly why: string;
}

const exception = (why: string, ...rights: readonly string[]): Exception => ({ rights: rights.toSorted(), why });

const CALICO =
  'it annotates pods with their addresses, and gives blocks of addresses and settings of the network; the plugin uses a token without a node';
const inGroup = (group: string, ...resources: readonly string[]): readonly string[] =>
  resources.map((resource) => `changes ${resource}.${group}`);
const ofCalico = (...resources: readonly string[]): readonly string[] => inGroup('crd.projectcalico.org', ...resources);

const OF_CALICO_NODE = [
  ...ofCalico('bgpconfigurations', 'bgppeers', 'blockaffinities', 'caliconodestatuses', 'clusterinformations'),
  ...ofCalico('felixconfigurations', 'ipamblocks', 'ipamconfigs', 'ipamhandles', 'ippools'),
  'changes status of pods',
  ...ofCalico('tiers'),
];

/** Accounts of pods that may run on workers and yet can do more than the thief of a worker should, and why. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'kube-system/aws-node': exception(
    'it says which features its machine uses; the controller that reads it does not run here',
    'changes cninodes.vpcresources.k8s.aws',
  ),
  'kube-system/calico-cni-plugin': exception(
    CALICO,
    ...ofCalico('blockaffinities', 'clusterinformations', 'ipamblocks', 'ipamconfigs', 'ipamhandles', 'ippools'),
    ...ofCalico('ipreservations'),
    'changes status of pods',
  ),
  'kube-system/calico-node': exception(CALICO, ...OF_CALICO_NODE),
  'kube-system/cilium': exception(
    'an endpoint names its pod and an address, by which a policy cannot tell whose it is',
    ...inGroup('cilium.io', 'ciliumbgpnodeconfigs/status', 'ciliumclusterwidenetworkpolicies/status'),
    ...inGroup('cilium.io', 'ciliumendpoints', 'ciliumendpoints/status', 'ciliumidentities'),
    ...inGroup('cilium.io', 'ciliuml2announcementpolicies/status', 'ciliumnetworkpolicies/status'),
    // Certificates of Ingresses and Gateways, which Envoy of every machine serves.
    'reads Secrets in cilium-secrets',
  ),
  'kube-system/metrics-server': exception(
    'its answers are measurements; the API server shows it no credentials of its callers',
    'answers an API',
  ),
};

const OLD = 'before Kubernetes 1.31 a policy cannot ask which node a token is of: see own-node-only.ts';

/** The same on versions that have no policies for Nodes. */
const OLD_EXCEPTIONS: Readonly<Record<string, Exception>> = {
  ...EXCEPTIONS,
  'kube-flannel/flannel': exception(`it annotates its Node: ${OLD}`, 'changes Nodes'),
  'kube-system/aws-node-termination-handler': exception(`it taints its Node: ${OLD}`, 'changes Nodes'),
  'kube-system/calico-node': exception(
    `${CALICO}; it says that its Node has a network: ${OLD}`,
    'changes Nodes',
    ...OF_CALICO_NODE,
  ),
  'kube-system/cilium': exception(
    `it says where its machine is: ${OLD}`,
    ...(EXCEPTIONS['kube-system/cilium']?.rights ?? []),
    ...inGroup('cilium.io', 'ciliumnodes', 'ciliumnodes/status'),
  ),
  'kube-system/ebs-csi-node-sa': exception(`it removes a taint of its Node: ${OLD}`, 'changes Nodes'),
  'kube-system/kindnet': exception(`it patches its Node: ${OLD}`, 'changes Nodes'),
  'kube-system/node-problem-detector': exception(`it sets conditions of its Node: ${OLD}`, 'changes Nodes'),
};

const factsOf = (kubernetesVersion: string): readonly ClusterFacts[] => [
  ...Object.values(NETWORKS).flatMap((networking) =>
    [EVERY_ADDON, OWN_ROLES].map((spec) => awsFacts({ ...spec, networking, kubernetesVersion })),
  ),
  awsFacts({ ...EVERY_ADDON_ON_GCE, kubernetesVersion }),
  ...Object.values(NETWORKS).map((networking) =>
    localFacts({ ...EVERY_ADDON_ON_LOCAL, networking, kubernetesVersion }),
  ),
];

/** The variants of an addon are combined: each counts as having the rights of all. */
function found(versions: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const rights = new Map<string, Set<string>>();
  for (const facts of versions.flatMap(factsOf)) {
    const objects = builtInAddons(facts, GROUPS_WITH_GPU).flatMap((addon) => addon.objects);
    for (const [holder, held] of Object.entries(rightsOnWorkers(objects))) {
      rights.set(holder, new Set([...(rights.get(holder) ?? []), ...held]));
    }
  }
  return Object.fromEntries([...rights].map(([holder, held]) => [holder, [...held].toSorted()]));
}

const minor = (version: string): number => Number(version.split('.')[1]);
const rightsIn = (exceptions: Readonly<Record<string, Exception>>) =>
  Object.fromEntries(Object.entries(exceptions).map(([name, { rights }]) => [name, rights]));

test('nothing that may run on a worker has a right that nobody gave a reason for', () => {
  expect(found(KUBERNETES_VERSIONS.filter((version) => minor(version) >= 31))).toEqual(rightsIn(EXCEPTIONS));
});

test('without policies for Nodes, what runs on every machine may change any Node besides', () => {
  expect(found(KUBERNETES_VERSIONS.filter((version) => minor(version) < 31))).toEqual(rightsIn(OLD_EXCEPTIONS));
});

/** A Deployment of the account `a`, which has a role with these rules. */
function addon(rules: readonly object[], pod: object = {}) {
  const metadata = { name: 'a', namespace: 'n' };
  const role = { kind: 'ClusterRole', name: 'a' };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  const spec = { template: { spec: { serviceAccountName: 'a', containers: [], ...pod } } };
  return rightsOnWorkers([
    { apiVersion: 'v1', kind: 'ClusterRole', metadata: { name: 'a' }, rules },
    { apiVersion: 'v1', kind: 'ClusterRoleBinding', metadata: { name: 'a' }, roleRef: role, subjects },
    { apiVersion: 'v1', kind: 'Deployment', metadata, spec },
  ]);
}

test.each([
  [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }, ['reads Secrets']],
  [{ apiGroups: ['*'], resources: ['*'], verbs: ['impersonate'] }, ['grants rights']],
  [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['patch'] }, ['makes or changes pods']],
  [{ apiGroups: [''], resources: ['nodes/status'], verbs: ['*'] }, ['changes Nodes']],
  [{ apiGroups: [''], resources: ['secrets'], resourceNames: ['own'], verbs: ['get'] }, []],
  [{ apiGroups: ['example.com'], resources: ['*'], verbs: ['*'] }, ['changes *.example.com']],
  [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get', 'watch'] }, []],
])('%j is found on workers, and nothing where the pod is pinned to control planes', (rule, rights) => {
  expect(addon([rule])).toEqual(rights.length === 0 ? {} : { 'n/a': rights });
  const selected = { nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } };
  expect(addon([rule], selected)).toEqual({});
});
