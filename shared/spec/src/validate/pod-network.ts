import type { SpecCloud } from '../cloud.ts';
import type { Cluster, ClusterSpec, NetworkingSpec } from '../cluster.ts';
import { isIpv6Alone } from '../names.ts';
import { fault, type Fault } from './fault.ts';

/** Networks that this suite installs, or that users install. Others are reported as having no effect. */
const MADE = 'amazonvpc, calico, cilium, cni, external, flannel, gce, kindnet, kubenet';

/** Networks whose pods have IPv4 addresses alone (kops pkg/apis/kops/validation/validation.go). */
const WITHOUT_IPV6 = ['amazonvpc', 'flannel', 'kubenet'] as const;

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
  yield* validateCloud(networking, cloud);
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
