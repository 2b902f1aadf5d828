import { addressAt, parseCidr } from '@kopsctl/spec/cidr.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster, ClusterSpec, EtcdClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { kubernetesFacts, type KubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';
import type { CloudTraits } from '@kopsctl/spec/cloud-traits.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Json } from '@kopsctl/tasks/task.ts';
import type { AssetSource } from './asset-catalog.ts';
import type { AddonObject } from './addons/addon-object.ts';
import type { Addon } from './addons/addon.ts';
import type { RegistryCredentials } from './registry-credentials.ts';

/** What follows from a completed cluster and is needed in more than one place. */
export interface ClusterFacts {
  readonly cluster: Cluster;
  readonly spec: ClusterSpec;
  readonly clusterName: string;
  /** Without a leading v. */
  readonly kubernetesVersion: string;
  readonly kubernetes: KubernetesFacts;
  readonly cloud: ModelCloud;
  readonly runtime: 'containerd' | 'docker';
  /** As machines of the cluster reach it. */
  readonly nodeStoreUrl: string;
  readonly apiInternalName: string;
  readonly apiPublicName: string;
  readonly serviceRange: string;
  /** The address of the `kubernetes` service: the first of the service range. */
  readonly kubernetesServiceAddress: string;
  /** Addresses that machines talk to by their own, without masquerading. */
  readonly nonMasqueradeRange: string;
  /** Undefined where pods have addresses of the machines' own network. */
  readonly podRange: string | undefined;
  readonly clusterDomain: string;
  readonly etcdClusters: readonly EtcdClusterSpec[];
  /** The images that the prepared assets hold; undefined where machines pull images from registries. */
  readonly heldImages: readonly string[] | undefined;
}

/** A cloud for the builders: what of every cluster's tasks depends on it, asked by their facts. Pure. */
export interface ModelCloud {
  /** As spec.cloudProvider names it. */
  readonly name: string;
  readonly traits: CloudTraits;
  readonly addons: CloudAddons;
  /** The DNS provider of a cluster's names; undefined where there is none. */
  readonly zoneProvider: (facts: ClusterFacts) => ZoneProvider | undefined;
  /** What Docker's configuration needs on machines of this cloud. */
  readonly dockerSettings?: { readonly [key: string]: Json };
  /** The class of volume snapshots that is the default where the spec asks for one. */
  readonly snapshotClass?: { readonly name: string; readonly driver: string };
  /** Fields of kubelet's configuration file that kops's API does not have, where the version of kubelet knows them. */
  readonly kubeletFields?: Readonly<Record<string, string | number | boolean>>;
  /** The cloud controller manager's name of a machine, made of the machine's facts; absent where it finds that itself. */
  readonly providerId?: string;
  /** What gives kubelet credentials of the cloud's own registry, where kubelet does not get them by itself. */
  readonly registryCredentials?: (facts: Pick<ClusterFacts, 'clusterName' | 'spec'>) => RegistryCredentials;
  /** Kernel settings of its machines beside everybody's. */
  readonly sysctls?: Readonly<Record<string, string>>;
}

/** Addons of a cloud's own, by when they are applied: what others need comes first. */
export interface CloudAddons {
  readonly networks?: Readonly<Partial<Record<keyof NetworkingSpec, NetworkAddon>>>;
  /** Right after the pod network: nodes are not ready before it runs. */
  readonly controller?: (facts: ClusterFacts) => readonly Addon[];
  readonly storage?: (facts: ClusterFacts) => readonly Addon[];
  readonly others?: (facts: ClusterFacts, groups: readonly InstanceGroup[]) => readonly Addon[];
}

/** A pod network that is installed as an addon. */
export interface NetworkAddon {
  /** kops's name and id of its addon. */
  readonly name: string;
  readonly id: string;
  readonly objects: (facts: ClusterFacts) => readonly AddonObject[];
}

/**
 * @param assets the prepared assets, which a cloud whose machines cannot reach a registry gets its images from
 * @throws ActionableError where the completed spec lacks what no cluster can be without
 */
export function clusterFacts(
  cluster: Cluster,
  nodeStoreUrl: string,
  cloud: ModelCloud,
  assets: AssetSource = { assets: [] },
): ClusterFacts {
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
  if (kubernetes === undefined) throw new Error(`${version} is not a Kubernetes version`);
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
    cloud,
    runtime,
    nodeStoreUrl,
    apiInternalName: required('spec.masterInternalName', spec.masterInternalName),
    apiPublicName: required('spec.masterPublicName', spec.masterPublicName),
    serviceRange,
    kubernetesServiceAddress: firstAddress(serviceRange),
    nonMasqueradeRange: required('spec.nonMasqueradeCIDR', spec.nonMasqueradeCIDR),
    podRange: spec.podCIDR ?? spec.kubeControllerManager?.clusterCIDR,
    clusterDomain: required('spec.clusterDNSDomain', spec.clusterDNSDomain),
    etcdClusters: spec.etcdClusters ?? [],
    heldImages: cloud.traits.bringsImages ? assets.assets.flatMap(({ image }) => image ?? []) : undefined,
  };
}

/** The first usable address of a range: 100.64.0.0/13 → 100.64.0.1. */
export function firstAddress(range: string): string {
  const parsed = parseCidr(range);
  if (parsed === undefined) throw new Error(`${range} is not a range of addresses`);
  return addressAt(parsed, 1);
}
