import semver from 'semver';
import type { CalicoNetworking } from '@kopsctl/spec/cluster.ts';

/** From this release on calico-node can mount the kernel's BPF file system for itself (`-init -best-effort`). */
const MOUNTS_BPF = '3.23.0';

export const mountsBpf = ({ version }: CalicoNetworking): boolean =>
  semver.gte(semver.coerce(version) ?? MOUNTS_BPF, MOUNTS_BPF);

export const calicoImage = ({ registry, version }: CalicoNetworking, name: string): string =>
  `${registry}/calico/${name}:${version}`;
