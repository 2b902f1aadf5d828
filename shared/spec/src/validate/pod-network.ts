import type { Cluster, ClusterSpec, NetworkingSpec } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** Those that are installed, or brought by a person; of others a person is told that they are left out. */
const MADE = 'amazonvpc, calico, cilium, cni, external, flannel, gce, kindnet, kubenet';

/** Pods without a network are a cluster that nothing runs in: none, two, and what a cloud cannot have, are refused. */
export function* validatePodNetwork({ spec }: Cluster): Iterable<Fault> {
  const { networking } = spec;
  if (networking === undefined) return;
  const chosen = Object.keys(networking);
  if (chosen.length === 0) yield fault('spec.networking', 'names no pod network', `one of ${MADE}`);
  if (chosen.length > 1) {
    yield fault('spec.networking', `names ${chosen.length} pod networks: ${chosen.join(', ')}`, 'leave one of them');
  }
  yield* validateCloud(spec, networking);
  yield* validateChoices(networking);
  yield* validateCilium(spec, networking);
}

function* validateCloud({ cloudProvider }: ClusterSpec, networking: NetworkingSpec): Iterable<Fault> {
  const ofAws = [
    ...(networking.amazonvpc === undefined ? [] : ['spec.networking.amazonvpc']),
    ...(networking.cilium?.ipam === 'eni' ? ['spec.networking.cilium.ipam'] : []),
  ];
  if (cloudProvider !== 'aws') {
    for (const path of ofAws) yield fault(path, 'gives pods addresses of a VPC, which AWS alone has', 'use cilium');
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

function* validateCilium({ certManager }: ClusterSpec, { cilium }: NetworkingSpec): Iterable<Fault> {
  if (cilium === undefined) return;
  const path = (field: string): string => `spec.networking.cilium.${field}`;
  if (cilium.hubble?.enabled === true && certManager?.enabled !== true) {
    yield fault(
      path('hubble.enabled'),
      'needs certificates, which cert-manager makes',
      'set spec.certManager.enabled: true',
    );
  }
}
