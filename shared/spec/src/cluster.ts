import type { ObjectMeta } from './metadata.ts';
import type { ClusterSpec } from './schema/cluster.ts';

export type { ClusterSpec } from './schema/cluster.ts';
export type { EtcdClusterSpec, EtcdMemberSpec } from './schema/etcd.ts';
export type { NetworkingSpec } from './schema/networking.ts';
export type { CertManagerSpec } from './schema/addons.ts';
export type { CalicoNetworking } from './schema/networking-calico.ts';
export type { CiliumNetworking } from './schema/networking-cilium.ts';
export type { ClusterSubnetSpec } from './schema/topology.ts';
export type { KubeletConfig } from './schema/kubelet.ts';
export type { KubeAPIServerConfig } from './schema/kube-apiserver.ts';
export type { KubeSchedulerConfig } from './schema/kube-scheduler.ts';
export type { KubeDNSConfig } from './schema/kube-dns.ts';
export type { ContainerdConfig, NvidiaGpuConfig } from './schema/containerd.ts';
export type { FileAssetSpec, HookSpec } from './schema/machines.ts';

/** A cluster as a person wrote it: any field may be absent. */
export interface Cluster {
  readonly apiVersion: string;
  readonly kind: 'Cluster';
  readonly metadata: ObjectMeta;
  readonly spec: ClusterSpec;
}
