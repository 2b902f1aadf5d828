import type { SpecCloud } from '../cloud.ts';
import type { Cluster, NetworkingSpec } from '../cluster.ts';
import { fault, type Fault } from './fault.ts';

/** Networks that this suite installs, or that users install. Others are reported as having no effect. */
const MADE = 'amazonvpc, calico, cilium, cni, external, flannel, gce, kindnet, kubenet';

/** Requires exactly one pod network, which the cloud must support. */
export function* validatePodNetwork({ spec }: Cluster, cloud: SpecCloud): Iterable<Fault> {
  const { networking } = spec;
  if (networking === undefined) return;
  const chosen = Object.keys(networking);
  if (chosen.length === 0) yield fault('spec.networking', 'names no pod network', `one of ${MADE}`);
  if (chosen.length > 1) {
    yield fault('spec.networking', `names ${chosen.length} pod networks: ${chosen.join(', ')}`, 'keep one of them');
  }
  yield* validateCloud(networking, cloud);
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
