import { parseCidr } from '../cidr.ts';
import type { SpecCloud } from '../cloud.ts';
import type { Cluster, ClusterSpec, NetworkingSpec } from '../cluster.ts';
import { kubernetesFacts, RECOMMENDED_KUBERNETES } from '../kubernetes-versions.ts';
import { minorOf } from '../minor-version.ts';
import { isIpv6Alone } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** Networks that this suite installs, or that users install. Others are reported as having no effect. */
const MADE = 'amazonvpc, calico, cilium, cni, flannel, gce, kindnet, kubenet, kuberouter';

/** What to use instead of networks that kops refuses, with every version or from one on (`droppedNetworks` of the version). */
const INSTEAD = {
  canal: 'use calico',
  classic: 'use kubenet',
  external: 'use cni, with a network of your own',
  lyftvpc: 'use amazonvpc, or cilium with ipam: eni',
  romana: 'use calico',
  weave: 'use flannel, or calico for policies',
} satisfies Partial<Record<keyof NetworkingSpec, string>>;

/** No supported version ever had them (kops pkg/apis/kops/validation/validation.go). */
const NEVER = ['classic', 'lyftvpc', 'romana'] as const;

/** Networks whose pods have IPv4 addresses alone (kops pkg/apis/kops/validation/validation.go). */
export const WITHOUT_IPV6 = ['amazonvpc', 'flannel', 'kubenet', 'kuberouter'] as const;

/** Requires exactly one pod network, which the cloud must support. */
export function* validatePodNetwork({ spec }: Cluster, cloud: SpecCloud): Iterable<Fault> {
  const { networking } = spec;
  yield* validateIpv6(spec, cloud);
  if (networking === undefined) return;
  const chosen = Object.keys(networking);
  if (chosen.length === 0) yield fault('spec.networking', 'names no pod network', `one of ${MADE}`);
  if (chosen.length > 1) {
    yield fault('spec.networking', `names ${chosen.length} pod networks: ${chosen.join(', ')}`, 'keep one of them');
  }
  yield* dropped(spec);
  yield* validateKubeRouter(spec);
  yield* validateCloud(networking, cloud);
  for (const [index, range] of (networking.kindnet?.masquerade?.nonMasqueradeCIDRs ?? []).entries()) {
    if (range === '' || parseCidr(range) !== undefined) continue;
    const path = `spec.networking.kindnet.masquerade.nonMasqueradeCIDRs[${index}]`;
    yield fault(path, `'${range}' is not a range of addresses`, 'e.g. 10.0.0.0/8');
  }
}

function* validateIpv6(spec: ClusterSpec, { name, features }: SpecCloud): Iterable<Fault> {
  if (!isIpv6Alone(spec)) return;
  if (!features.includes('IPv6 ranges of machines')) {
    const message = `nodes get no IPv6 ranges for their pods in ${name}`;
    yield fault('spec.nonMasqueradeCIDR', message, 'write a range of IPv4, or leave it out');
  }
  for (const network of WITHOUT_IPV6) {
    if (spec.networking?.[network] === undefined) continue;
    const message = 'gives pods IPv4 addresses, and this cluster has only IPv6 (spec.nonMasqueradeCIDR)';
    yield fault(
      `spec.networking.${network}`,
      message,
      'use calico, cilium or kindnet, or cni with a network of your own',
    );
  }
}

function* dropped({ kubernetesVersion = '', networking = {} }: ClusterSpec): Iterable<Fault> {
  // A spec that names no version gets that one.
  const facts = kubernetesFacts(kubernetesVersion) ?? kubernetesFacts(RECOMMENDED_KUBERNETES);
  const gone = (facts?.droppedNetworks ?? []).map(({ network, until }) => ({
    network,
    where: ` with Kubernetes ${minorOf(until)} or newer`,
  }));
  for (const { network, where } of [...NEVER.map((one) => ({ network: one, where: '' })), ...gone]) {
    if (networking[network] === undefined) continue;
    const message = `neither kopsctl nor kops supports this network${where}`;
    yield fault(`spec.networking.${network}`, message, INSTEAD[network]);
  }
}

/** kube-router serves Services itself. */
function* validateKubeRouter(spec: ClusterSpec): Iterable<Fault> {
  if (spec.networking?.kuberouter === undefined || spec.kubeProxy?.enabled === false) return;
  const path = 'spec.networking.kuberouter';
  yield fault(path, 'it replaces kube-proxy, which is still enabled', 'set spec.kubeProxy.enabled: false');
}

function* validateCloud(networking: NetworkingSpec, { name, features }: SpecCloud): Iterable<Fault> {
  if (networking.gce !== undefined && !features.includes('pod ranges in the subnet')) {
    yield fault('spec.networking.gce', `gives pods ranges of the subnet, which ${name} does not`, 'use kubenet');
  }
  if (features.includes('pod addresses in the network')) return;
  const inNetwork = [
    ...(networking.amazonvpc === undefined ? [] : ['spec.networking.amazonvpc']),
    ...(networking.cilium?.ipam === 'eni' ? ['spec.networking.cilium.ipam'] : []),
  ];
  for (const path of inNetwork) {
    yield fault(path, `gives pods addresses of the machines' network, which ${name} does not`, 'use cilium');
  }
}
