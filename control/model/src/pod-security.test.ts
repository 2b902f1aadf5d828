import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtInAddons } from './addons/built-in-addons.ts';
import { awsFacts, GROUPS_WITH_GPU } from './addons/testdata/aws-facts.ts';
import { localFacts } from './addons/testdata/local-facts.ts';
import {
  EVERY_ADDON,
  EVERY_ADDON_ON_GCE,
  EVERY_ADDON_ON_LOCAL,
  KUBERNETES_VERSIONS,
  NETWORKS,
  OWN_ROLES,
} from './addons/testdata/specs.ts';
import type { ClusterFacts } from './cluster-facts.ts';
import { filesOf } from './testdata/planned-files.ts';

/** What a container may do beyond Kubernetes's profile `restricted`, and beyond writing in its volumes. */
type Right = 'privileged' | 'root' | 'capabilities' | 'escalation' | 'every system call' | 'its image';

interface Exception {
  readonly rights: readonly Right[];
  readonly why: string;
}

const exception = (why: string, ...rights: readonly Right[]): Exception => ({ rights, why });

/** Rights that upstream's own manifest gives as well. */
const UPSTREAM = 'its upstream runs it so';
const SETS_UP_MACHINE = exception('it mounts for the machine, or sets up its network', 'privileged');
const ROOTS_FOLDER = exception('it writes in a folder of the machine that belongs to root', 'root');
const ROOTS_KEYS = exception('its keys belong to root', 'root');
const ROOTS_SOCKET = exception('only the owner of a socket may use it, and the driver beside it is root', 'root');
const LOW_PORT = exception('only root may serve a port below 1024 on every runtime', 'root');

/** Every container that has more than the restricted set, and why. */
const EXCEPTIONS: Readonly<Record<string, Exception>> = {
  'aws-node/aws-eks-nodeagent': SETS_UP_MACHINE,
  'aws-node/aws-node': exception(
    `it sets up the network of pods: ${UPSTREAM}`,
    ...(['root', 'capabilities', 'escalation', 'every system call', 'its image'] as const),
  ),
  'aws-node/aws-vpc-cni-init': SETS_UP_MACHINE,
  'calico-kube-controllers/calico-kube-controllers': exception(
    'it tells its probes by a file in its image',
    'its image',
  ),
  'calico-node/calico-node': SETS_UP_MACHINE,
  'calico-node/install-cni': exception(UPSTREAM, 'privileged'),
  'calico-node/mount-bpffs': SETS_UP_MACHINE,
  'calico-typha/calico-typha': exception(UPSTREAM, 'its image'),
  'cilium-operator/cilium-operator': exception(UPSTREAM, 'root', 'its image'),
  'cilium/apply-sysctl-overwrites': SETS_UP_MACHINE,
  'cilium/cilium-agent': SETS_UP_MACHINE,
  'cilium/clean-cilium-state': SETS_UP_MACHINE,
  'cilium/config': exception(UPSTREAM, 'root', 'its image'),
  'cilium/install-cni-binaries': exception(UPSTREAM, 'root', 'its image'),
  'cilium/mount-bpf-fs': SETS_UP_MACHINE,
  'cilium/mount-cgroup': SETS_UP_MACHINE,
  'coredns/coredns': LOW_PORT,
  'csi-gce-pd-controller/csi-attacher': ROOTS_SOCKET,
  'csi-gce-pd-controller/csi-provisioner': ROOTS_SOCKET,
  'csi-gce-pd-controller/csi-resizer': ROOTS_SOCKET,
  'csi-gce-pd-controller/csi-snapshotter': ROOTS_SOCKET,
  'csi-gce-pd-controller/gce-pd-driver': exception(UPSTREAM, 'root', 'its image'),
  'csi-gce-pd-node/csi-driver-registrar': ROOTS_SOCKET,
  'csi-gce-pd-node/gce-pd-driver': SETS_UP_MACHINE,
  'dcgm-exporter/dcgm-exporter': exception(
    'it reads the counters of the hardware',
    ...(['root', 'capabilities', 'escalation', 'its image'] as const),
  ),
  'ebs-csi-node/ebs-plugin': SETS_UP_MACHINE,
  'ebs-csi-node/liveness-probe': ROOTS_SOCKET,
  'ebs-csi-node/node-driver-registrar': ROOTS_SOCKET,
  'hubble-relay/hubble-relay': exception(UPSTREAM, 'its image'),
  'kindnet/install-cni-bin': ROOTS_FOLDER,
  'kindnet/kindnet-cni': SETS_UP_MACHINE,
  'kube-apiserver/kube-apiserver': exception(
    'its keys belong to root, and a person may want an audit log anywhere',
    'root',
    'its image',
  ),
  'kube-controller-manager/kube-controller-manager': ROOTS_KEYS,
  'kube-dns/dnsmasq': exception(
    `it starts as root and gives that up itself: ${UPSTREAM}`,
    ...(['root', 'capabilities', 'escalation', 'its image'] as const),
  ),
  'kube-flannel-ds/install-cni': ROOTS_FOLDER,
  'kube-flannel-ds/install-cni-plugin': ROOTS_FOLDER,
  'kube-flannel-ds/kube-flannel': exception(
    'it sets routes and rules of the machine; by udp it opens /dev/net/tun',
    ...(['privileged', 'root', 'capabilities', 'its image'] as const),
  ),
  'kube-proxy/kube-proxy': exception('it sets rules and sysctls of the machine', 'privileged'),
  'kube-router/install-cni': ROOTS_FOLDER,
  'kube-router/kube-router': SETS_UP_MACHINE,
  'kube-scheduler/kube-scheduler': ROOTS_KEYS,
  'node-local-dns/node-cache': exception(
    'it makes an interface with its address, and writes its settings beside its program',
    ...(['root', 'capabilities', 'its image'] as const),
  ),
  'node-problem-detector/node-problem-detector': exception('it reads the log of the kernel', 'privileged'),
  'nvidia-device-plugin-daemonset/nvidia-device-plugin-ctr': exception("it makes a socket in kubelet's folder", 'root'),
  'pod-identity-webhook/pod-identity-webhook': LOW_PORT,
};

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};
const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): readonly string[] => items(value).map((one) => String(one).toUpperCase());

/** The rights that a container has. Its own setting takes precedence over that of the pod. */
function rightsOf(pod: Fields, container: Fields): readonly Right[] {
  const own = { ...fields(pod['securityContext']), ...fields(container['securityContext']) };
  if (own['privileged'] === true) return ['privileged'];
  const { add, drop } = fields(own['capabilities']);
  // The profile allows this one.
  const added = texts(add).filter((name) => name !== 'NET_BIND_SERVICE');
  const held: readonly (readonly [Right, boolean])[] = [
    ['root', own['runAsNonRoot'] !== true || own['runAsUser'] === 0],
    ['capabilities', !texts(drop).includes('ALL') || added.length > 0],
    ['escalation', own['allowPrivilegeEscalation'] !== false],
    ['every system call', fields(own['seccompProfile'])['type'] !== 'RuntimeDefault'],
    ['its image', own['readOnlyRootFilesystem'] !== true],
  ];
  return held.flatMap(([right, has]) => (has ? [right] : []));
}

/** The rights of each container of a pod, by the names of both. */
const rightsIn = (name: string, pod: Fields): readonly (readonly [string, readonly Right[]])[] =>
  [...items(pod['initContainers']), ...items(pod['containers'])].map((one) => {
    const container = fields(one);
    return [`${name}/${String(container['name'])}`, rightsOf(pod, container)];
  });

const FACTS: readonly ClusterFacts[] = KUBERNETES_VERSIONS.flatMap((kubernetesVersion) => [
  ...Object.values(NETWORKS).flatMap((networking) =>
    [EVERY_ADDON, OWN_ROLES].map((spec) => awsFacts({ ...spec, networking, kubernetesVersion })),
  ),
  awsFacts({ ...EVERY_ADDON_ON_GCE, kubernetesVersion }),
  localFacts({ ...EVERY_ADDON_ON_LOCAL, kubernetesVersion }),
]);

function ofAddons(): readonly (readonly [string, readonly Right[]])[] {
  const objects = FACTS.flatMap((facts) => builtInAddons(facts, GROUPS_WITH_GPU)).flatMap((addon) => addon.objects);
  return objects.flatMap(({ metadata, ...object }) => {
    const pod = fields(fields(fields(Object.fromEntries(Object.entries(object))['spec'])['template'])['spec']);
    const { name } = metadata;
    return rightsIn(typeof name === 'string' ? name : '', pod);
  });
}

const ofStaticPods = () =>
  KUBERNETES_VERSIONS.flatMap((version) => [...filesOf(version)]).flatMap(([path, text]) => {
    const [, name] = /^\/etc\/kubernetes\/manifests\/(.*)\.manifest$/.exec(path) ?? [];
    return name === undefined ? [] : rightsIn(name, fields(fields(parse(text))['spec']));
  });

/** The versions of a container are combined: each counts as having the rights of all. */
function found(): Readonly<Record<string, readonly Right[]>> {
  const rights = new Map<string, Set<Right>>();
  for (const [name, held] of [...ofAddons(), ...ofStaticPods()]) {
    rights.set(name, new Set([...(rights.get(name) ?? []), ...held]));
  }
  const sorted = [...rights].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.flatMap(([name, held]) => (held.size === 0 ? [] : [[name, [...held]]])));
}

test('each container has no right that nobody gave a reason for', () => {
  const expected = Object.entries(EXCEPTIONS).map(([name, { rights }]) => [name, rights]);
  expect(found()).toEqual(Object.fromEntries(expected));
  expect(Object.values(EXCEPTIONS).filter(({ why }) => why === '')).toEqual([]);
});
