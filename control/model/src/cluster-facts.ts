import { addressAt, parseCidr } from '@kopsctl/spec/cidr.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster, ClusterSpec, EtcdClusterSpec } from '@kopsctl/spec/cluster.ts';
import { kubernetesFacts, type KubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';

/** What follows from a completed cluster and is needed in more than one place. */
export interface ClusterFacts {
  readonly cluster: Cluster;
  readonly spec: ClusterSpec;
  readonly clusterName: string;
  /** Without a leading v. */
  readonly kubernetesVersion: string;
  readonly kubernetes: KubernetesFacts;
  /** The spec's cloudProvider. */
  readonly cloud: string;
  readonly runtime: 'containerd' | 'docker';
  /** As machines of the cluster reach it. */
  readonly nodeStoreUrl: string;
  readonly apiInternalName: string;
  readonly apiPublicName: string;
  readonly serviceRange: string;
  /** The address of the `kubernetes` service: the first of the service range. */
  readonly kubernetesServiceAddress: string;
  /** Undefined where pods have addresses of the machines' own network. */
  readonly podRange: string | undefined;
  readonly clusterDomain: string;
  readonly etcdClusters: readonly EtcdClusterSpec[];
}

/** @throws ActionableError where the completed spec lacks what no cluster can be without. */
export function clusterFacts(cluster: Cluster, nodeStoreUrl: string): ClusterFacts {
  const { spec, metadata } = cluster;
  const required = (path: string, value: string | undefined): string => {
    if (value !== undefined && value !== '') return value;
    throw new ActionableError({
      what: `compute the nodes of ${metadata.name}`,
      why: `the completed spec has no ${path}`,
      next: `set ${path} in the cluster spec`,
    });
  };
  const version = required('spec.kubernetesVersion', spec.kubernetesVersion);
  const kubernetes = kubernetesFacts(version);
  if (kubernetes === undefined) throw new Error(`${version} is no Kubernetes version`);
  const serviceRange = required('spec.serviceClusterIPRange', spec.serviceClusterIPRange);
  const runtime = spec.containerRuntime === 'docker' ? 'docker' : 'containerd';
  if (runtime === 'docker' && !kubernetes.dockershim) {
    throw new ActionableError({
      what: `compute the nodes of ${metadata.name}`,
      why: `spec.containerRuntime is docker, which Kubernetes ${version} cannot drive (dockershim left in 1.24)`,
      next: 'set spec.containerRuntime to containerd',
    });
  }
  return {
    cluster,
    spec,
    clusterName: metadata.name,
    kubernetesVersion: bareVersion(version),
    kubernetes,
    cloud: required('spec.cloudProvider', spec.cloudProvider),
    runtime,
    nodeStoreUrl,
    apiInternalName: spec.masterInternalName ?? `api.internal.${metadata.name}`,
    apiPublicName: spec.masterPublicName ?? `api.${metadata.name}`,
    serviceRange,
    kubernetesServiceAddress: firstAddress(serviceRange),
    podRange: spec.podCIDR ?? spec.kubeControllerManager?.clusterCIDR,
    clusterDomain: spec.clusterDNSDomain ?? 'cluster.local',
    etcdClusters: spec.etcdClusters ?? [],
  };
}

/** The first usable address of a range: 100.64.0.0/13 → 100.64.0.1. */
export function firstAddress(range: string): string {
  const parsed = parseCidr(range);
  if (parsed === undefined) throw new Error(`${range} is no range of addresses`);
  return addressAt(parsed, 1);
}
