import type { AssetEntry, AssetIndex } from '@kopsctl/assets/asset-index.ts';

/** One asset as an index lists it. */
export function entry(name: string, version: string, file: string, image?: string): AssetEntry {
  // Any hex will do: what matters is that each asset has its own.
  const sha256 = Array.from({ length: 64 }, (_, index) =>
    ((name.codePointAt(index % name.length) ?? 0) % 16).toString(16),
  ).join('');
  return { name, version, arch: 'amd64', file, sha256, size: 1000, ...(image && { image }) };
}

/** What the assets hold of one Kubernetes version. */
export const kubernetesEntries = (version: string): readonly AssetEntry[] => [
  entry('kubelet', version, `v${version}/bin/linux/amd64/kubelet`),
  entry('kubectl', version, `v${version}/bin/linux/amd64/kubectl`),
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'].map((name) =>
    entry(`image/${name}`, version, `images/${name}-v${version}.tar`, `registry.k8s.io/${name}:v${version}`),
  ),
];

/** An index as the asset builder writes it. */
export const ASSETS: AssetIndex = {
  assets: [
    ...kubernetesEntries('1.20.2'),
    ...kubernetesEntries('1.28.4'),
    entry('agents-amd64', '0.1.0', 'agents/kops-agents-amd64'),
    entry('cni', '1.1.1', 'cni/cni-plugins-linux-amd64-v1.1.1.tar'),
    entry('containerd', '1.6.20', 'containerd/containerd-1.6.20-linux-amd64.tar'),
    entry('containerd', '2.4.2', 'containerd/containerd-2.4.2-linux-amd64.tar'),
    entry('docker', '20.10.24', 'docker/docker-20.10.24.tar'),
    entry('etcd-3.4.23', '3.4.23', 'etcd/etcd-v3.4.23-linux-amd64.tar'),
    entry('etcd-3.5.21', '3.5.21', 'etcd/etcd-v3.5.21-linux-amd64.tar'),
    entry('image/busybox', '1.35', 'images/busybox-v1.35.tar', 'busybox:1.35'),
    entry('image/coredns', '1.10.1', 'images/coredns-v1.10.1.tar', 'registry.k8s.io/coredns/coredns:v1.10.1'),
    entry('image/coredns', '1.15.0', 'images/coredns-v1.15.0.tar', 'registry.k8s.io/coredns/coredns:v1.15.0'),
    entry('image/local-path-provisioner', '0.0.30', 'images/local-path.tar', 'docker.io/rancher/local-path-provisioner:v0.0.30'),
    entry('image/pause', '3.10.1', 'images/pause-v3.10.1.tar', 'registry.k8s.io/pause:3.10.1'),
    entry('runc', '1.1.5', 'runc/runc-1.1.5.amd64'),
  ],
};
