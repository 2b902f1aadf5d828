import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';
import type { ClusterFacts } from '../../cluster-facts.ts';
import { byKubernetes, type ByKubernetes } from '../by-kubernetes.ts';

interface Release {
  readonly version: string;
  /** calico-node can mount the kernel's BPF file system for itself (`-init -best-effort`, v3.23). */
  readonly mountsBpf: boolean;
}

/** What Calico's releases were tested with (docs.tigera.io, "Kubernetes requirements"). */
const RELEASES: ByKubernetes<Release> = [
  { since: '1.20.0', use: { version: 'v3.21.4', mountsBpf: false } },
  { since: '1.22.0', use: { version: 'v3.23.5', mountsBpf: true } },
  { since: '1.25.0', use: { version: 'v3.30.3', mountsBpf: true } },
];

/** The release that is made for the cluster's Kubernetes. */
export const calicoRelease = ({ kubernetesVersion }: ClusterFacts): Release =>
  byKubernetes(RELEASES, kubernetesVersion);

export const calicoImage = (facts: ClusterFacts, calico: CalicoNetworking, name: string): string =>
  `${calico.registry ?? 'docker.io'}/calico/${name}:${calico.version ?? calicoRelease(facts).version}`;
