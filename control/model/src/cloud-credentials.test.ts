import { expect, test } from 'vitest';
import { builtInAddons } from './addons/built-in-addons.ts';
import { awsFacts, GROUPS_WITH_GPU } from './addons/testdata/aws-facts.ts';
import { type Way, waysOf } from './addons/testdata/cloud-ways.ts';
import { localFacts } from './addons/testdata/local-facts.ts';
import { type PlacedPod, podsIn } from './addons/testdata/placed-pods.ts';
import {
  EVERY_ADDON,
  EVERY_ADDON_ON_GCE,
  EVERY_ADDON_ON_LOCAL,
  KUBERNETES_VERSIONS,
  NETWORKS,
  OWN_ROLES,
} from './addons/testdata/specs.ts';
import type { ClusterFacts } from './cluster-facts.ts';

interface Need {
  /** Where the spec gives components roles of their own, a role takes the place of `as a control plane`. */
  readonly way: Way;
  readonly hasOwnRole?: true;
  readonly why: string;
}

/** Every workload of an addon that calls the cloud, and the way in which it may. */
const NEEDS: Readonly<Record<string, Need>> = {
  'gce-pd-csi-driver/csi-gce-pd-controller': { way: 'as a control plane', why: 'makes and attaches disks' },
  'gce-pd-csi-driver/csi-gce-pd-node': { way: 'as its machine', why: 'asks which machine it is on' },
  'kube-system/aws-cloud-controller-manager': {
    way: 'as a control plane',
    hasOwnRole: true,
    why: 'reads machines, makes load balancers',
  },
  'kube-system/aws-iam-authenticator': {
    way: 'as a control plane',
    why: 'asks for the names of machines whose role is mapped to a user',
  },
  'kube-system/aws-load-balancer-controller': {
    way: 'as a control plane',
    hasOwnRole: true,
    why: 'makes load balancers, and asks which VPC it is in',
  },
  'kube-system/aws-node': { way: 'as its machine', why: 'attaches network interfaces to its machine' },
  'kube-system/aws-node-termination-handler (Deployment)': {
    way: 'as a control plane',
    hasOwnRole: true,
    why: 'reads the queue of the cluster',
  },
  'kube-system/aws-node-termination-handler (DaemonSet)': {
    way: 'as its machine',
    why: 'asks whether its machine is about to end',
  },
  'kube-system/calico-node': {
    way: 'as its machine',
    why: 'turns off the check of sources of its machine (awsSrcDstCheck)',
  },
  'kube-system/cilium-operator': { way: 'as a control plane', why: 'attaches network interfaces (ipam: eni)' },
  'kube-system/cilium': { way: 'as its machine', why: 'asks which interfaces its machine has (ipam: eni)' },
  'kube-system/cloud-controller-manager': { way: 'as a control plane', why: 'reads machines, makes load balancers' },
  'kube-system/cluster-autoscaler': { way: 'as a control plane', hasOwnRole: true, why: 'scales groups' },
  'kube-system/ebs-csi-controller': { way: 'as a control plane', hasOwnRole: true, why: 'makes and attaches volumes' },
  'kube-system/karpenter': { way: 'by its own role', why: 'makes machines' },
  'kube-system/kube-router': {
    way: 'as its machine',
    why: 'turns off the check of sources of all machines from control planes, which alone may',
  },
  'kube-system/external-dns': { way: 'as a control plane', hasOwnRole: true, why: 'writes records' },
};

/** Every workload that does not call the cloud. */
const WITHOUT: readonly string[] = [
  'kube-flannel/kube-flannel-ds',
  'kube-system/calico-kube-controllers',
  'kube-system/calico-typha',
  // It answers challenges through names only with a role that a person gives its account.
  'kube-system/cert-manager',
  'kube-system/cert-manager-cainjector',
  'kube-system/cert-manager-webhook',
  'kube-system/coredns',
  'kube-system/coredns-autoscaler',
  'kube-system/dcgm-exporter',
  // It learns from its Node which machine it is on, where the metadata service does not answer (CSI_NODE_NAME).
  'kube-system/ebs-csi-node',
  'kube-system/hubble-relay',
  'kube-system/kindnet',
  'kube-system/kube-dns',
  'kube-system/kube-dns-autoscaler',
  'kube-system/metrics-server',
  'kube-system/node-local-dns',
  'kube-system/node-problem-detector',
  'kube-system/nvidia-device-plugin-daemonset',
  // It gives pods of users their roles, and needs none.
  'kube-system/pod-identity-webhook',
  'kube-system/snapshot-controller',
  'local-path-storage/local-path-provisioner',
];

const QUEUE_AND_OWN_ROLES = { ...OWN_ROLES, nodeTerminationHandler: { enabled: true } };
const hasOwnRoles = ({ spec }: ClusterFacts): boolean => spec.iam?.useServiceAccountExternalPermissions === true;

const FACTS: readonly ClusterFacts[] = KUBERNETES_VERSIONS.flatMap((kubernetesVersion) =>
  Object.values(NETWORKS).flatMap((networking) => [
    ...[EVERY_ADDON, OWN_ROLES, QUEUE_AND_OWN_ROLES, EVERY_ADDON_ON_GCE].map((spec) =>
      awsFacts({ ...spec, networking, kubernetesVersion }),
    ),
    localFacts({ ...EVERY_ADDON_ON_LOCAL, networking, kubernetesVersion }),
  ]),
);

interface Rendered extends PlacedPod {
  readonly title: string;
  readonly facts: ClusterFacts;
}

/** The termination handler is one of two. */
const TWO_KINDS = ['kube-system/aws-node-termination-handler'];

const RENDERED: readonly Rendered[] = FACTS.flatMap((facts) =>
  builtInAddons(facts, GROUPS_WITH_GPU).flatMap(({ objects }) =>
    objects.flatMap((object) =>
      podsIn([object]).map((placed) => {
        const title = TWO_KINDS.includes(placed.workload) ? `${placed.workload} (${object.kind})` : placed.workload;
        return { ...placed, title, facts };
      }),
    ),
  ),
);

test('of every workload it is known whether it asks the cloud something', () => {
  const rendered = new Set(RENDERED.map(({ title }) => title));
  expect([...rendered].toSorted()).toEqual([...Object.keys(NEEDS), ...WITHOUT].toSorted());
});

test.each(Object.entries(NEEDS))(
  '%s has a way to what it asks, wherever it is applied',
  (title, { way, hasOwnRole }) => {
    const wanted = (facts: ClusterFacts): Way => (hasOwnRole === true && hasOwnRoles(facts) ? 'by its own role' : way);
    const lost = RENDERED.filter((one) => one.title === title && !waysOf(one).includes(wanted(one.facts)));
    expect(lost.map(({ facts }) => `${facts.kubernetesVersion} ${JSON.stringify(facts.spec.networking)}`)).toEqual([]);
  },
);

test('where components have roles of their own, both ways are seen', () => {
  const ofAutoscaler = RENDERED.filter(({ title }) => title === 'kube-system/cluster-autoscaler');
  expect(new Set(ofAutoscaler.filter(({ facts }) => hasOwnRoles(facts)).map((one) => waysOf(one).at(-1)))).toEqual(
    new Set(['by its own role']),
  );
  expect(new Set(ofAutoscaler.filter(({ facts }) => !hasOwnRoles(facts)).map((one) => waysOf(one).at(-1)))).toEqual(
    new Set(['as its machine']),
  );
});

/** A pod with all ways of calling the cloud, from which tests take away one thing after another. */
const container = {
  name: 'a',
  env: [
    { name: 'AWS_ROLE_ARN', value: 'arn:aws:iam::1:role/a' },
    { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: '/tokens/token' },
  ],
  volumeMounts: [{ name: 'token', mountPath: '/tokens/' }],
};
const source = { serviceAccountToken: { audience: 'amazonaws.com', path: 'token' } };
const everyWay = {
  hostNetwork: true,
  nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
  tolerations: [{ operator: 'Exists' }],
  containers: [container],
  volumes: [{ name: 'token', projected: { sources: [source] } }],
};

test.each<[string, object, readonly Way[]]>([
  ['nothing is missing', {}, ['as a control plane', 'as its machine', 'by its own role']],
  ['it has a network of its own', { hostNetwork: false }, ['by its own role']],
  ['it may run on workers', { nodeSelector: {} }, ['as its machine', 'by its own role']],
  [
    'it does not tolerate control planes',
    { tolerations: [{ key: 'a', operator: 'Exists' }] },
    ['as its machine', 'by its own role'],
  ],
  ['no token is there', { volumes: [] }, ['as a control plane', 'as its machine']],
  [
    'the token is for somebody else',
    {
      volumes: [
        { name: 'token', projected: { sources: [{ serviceAccountToken: { audience: 'api', path: 'token' } }] } },
      ],
    },
    ['as a control plane', 'as its machine'],
  ],
  [
    'one of its containers knows no role',
    { containers: [container, { ...container, env: [] }] },
    ['as a control plane', 'as its machine'],
  ],
])('%s: the ways that are left', (_what, changed, ways) => {
  expect(waysOf({ pod: { ...everyWay, ...changed } })).toEqual(ways);
});
