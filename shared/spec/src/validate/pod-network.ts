import type { Cluster, ClusterSpec, NetworkingSpec } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** Networks that kops has, or had, and this suite does not make; with what to use instead. */
const NOT_MADE: Readonly<Partial<Record<keyof NetworkingSpec, string>>> = {
  canal: 'use calico',
  classic: 'use kubenet',
  kopeio: 'use flannel',
  kuberouter: 'use calico or cilium',
  lyftvpc: 'use amazonvpc, or cilium with ipam: eni',
  romana: 'use calico',
  weave: 'use flannel, or calico for policies',
};

const MADE = 'amazonvpc, calico, cilium, cni, external, flannel, gce, kindnet, kubenet';

/** Pods without a network are a cluster that nothing runs in: a choice that is not carried out is refused. */
export function* validatePodNetwork({ spec }: Cluster): Iterable<Fault> {
  const { networking } = spec;
  if (networking === undefined) return;
  const chosen = Object.keys(networking);
  if (chosen.length === 0) yield fault('spec.networking', 'names no pod network', `one of ${MADE}`);
  if (chosen.length > 1) {
    yield fault('spec.networking', `names ${chosen.length} pod networks: ${chosen.join(', ')}`, 'leave one of them');
  }
  for (const [network, instead] of Object.entries(NOT_MADE)) {
    if (Object.hasOwn(networking, network)) {
      yield fault(`spec.networking.${network}`, 'is not installed by this suite', instead);
    }
  }
  yield* validateCloud(spec, networking);
  yield* validateChoices(networking);
  yield* validateCilium(spec, networking);
}

function* validateCloud(
  { cloudProvider, nonMasqueradeCIDR }: ClusterSpec,
  networking: NetworkingSpec,
): Iterable<Fault> {
  const ofAws = [
    ...(networking.amazonvpc === undefined ? [] : ['spec.networking.amazonvpc']),
    ...(networking.cilium?.ipam === 'eni' ? ['spec.networking.cilium.ipam'] : []),
  ];
  if (cloudProvider !== 'aws') {
    for (const path of ofAws) yield fault(path, 'gives pods addresses of a VPC, which AWS alone has', 'use cilium');
  }
  if (networking.gce?.cilium !== undefined) {
    yield fault('spec.networking.gce.cilium', 'is not installed by this suite', 'use spec.networking.cilium');
  }
  if (nonMasqueradeCIDR !== '::/0') return;
  for (const network of ['amazonvpc', 'flannel', 'kindnet', 'kubenet'] as const) {
    if (networking[network] === undefined) continue;
    yield fault(`spec.networking.${network}`, 'has no IPv6 here', 'use calico or cilium, or cni and bring your own');
  }
}

function* validateChoices({ flannel, calico }: NetworkingSpec): Iterable<Fault> {
  const choices: readonly (readonly [string, string | undefined, readonly string[]])[] = [
    ['flannel.backend', flannel?.backend, ['udp', 'vxlan']],
    ['calico.encapsulationMode', calico?.encapsulationMode, ['ipip', 'vxlan', 'none']],
  ];
  for (const [field, value, words] of choices) {
    if (value === undefined || value === '' || words.includes(value)) continue;
    yield fault(`spec.networking.${field}`, `expected one of ${words.join(', ')}, found '${value}'`);
  }
}

function* validateCilium({ kubeProxy, certManager }: ClusterSpec, { cilium }: NetworkingSpec): Iterable<Fault> {
  if (cilium === undefined) return;
  const path = (field: string): string => `spec.networking.cilium.${field}`;
  if (cilium.enableNodePort === true && kubeProxy?.enabled !== false) {
    yield fault(
      path('enableNodePort'),
      'does the work of kube-proxy, which runs too',
      'set spec.kubeProxy.enabled: false',
    );
  }
  if (cilium.hubble?.enabled === true && certManager?.enabled !== true) {
    yield fault(
      path('hubble.enabled'),
      'needs certificates, which cert-manager makes',
      'set spec.certManager.enabled: true',
    );
  }
  if (cilium.enableEncryption === true && cilium.encryptionType !== 'wireguard') {
    yield fault(path('encryptionType'), 'only wireguard is carried out: the keys of ipsec are kept nowhere here');
  }
  const others: readonly (readonly [string, boolean | undefined, string])[] = [
    ['etcdManaged', cilium.etcdManaged, 'leave it out: identities are kept in the API'],
    ['ingress.enabled', cilium.ingress?.enabled, 'leave it out and bring an ingress controller'],
    ['gatewayAPI.enabled', cilium.gatewayAPI?.enabled, 'leave it out and bring a gateway'],
  ];
  for (const [field, value, hint] of others) {
    if (value === true) yield fault(path(field), 'is not carried out by this suite', hint);
  }
}
