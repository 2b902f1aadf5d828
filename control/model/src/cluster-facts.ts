import type { JsonObject } from '@kopsctl/tasks/task.ts';
import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';
import { addressAt, parseCidr } from '@kopsctl/spec/cidr.ts';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Cluster, ClusterSpec, EtcdClusterSpec, NetworkingSpec } from '@kopsctl/spec/cluster.ts';
import { kubernetesFacts, type KubernetesFacts } from '@kopsctl/spec/kubernetes-versions.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import type { ZoneProvider } from '@kopsctl/node-plan/agent-config.ts';
import type { LaunchHook } from '@kopsctl/node-plan/node-plan.ts';
import type { CloudTraits } from '@kopsctl/spec/cloud-traits.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { Json } from '@kopsctl/tasks/task.ts';
import type { AddonObject } from './addons/addon-object.ts';
import type { Addon } from './addons/addon.ts';
import type { SecretHashes } from './store/brought-secrets.ts';
import type { MachinePart } from './node/machine-part.ts';
import type { RegistryCredentials } from './runtime/registry-credentials.ts';
import { runnableKubernetes } from './assets/runnable-kubernetes.ts';

/** Values that follow from a completed cluster and are needed in several places. */
export interface ClusterFacts {
  readonly cluster: Cluster;
  readonly spec: ClusterSpec;
  readonly clusterName: string;
  /** The version that machines run (`runnableKubernetes`), without a leading v. */
  readonly kubernetesVersion: string;
  readonly kubernetes: KubernetesFacts;
  readonly cloud: ModelCloud;
  readonly runtime: 'containerd' | 'docker';
  /** The URL at which machines of the cluster reach the state store. */
  readonly nodeStoreUrl: string;
  readonly apiInternalName: string;
  readonly apiPublicName: string;
  readonly serviceRange: string;
  /** The address of the `kubernetes` Service: the first of the service range. */
  readonly kubernetesServiceAddress: string;
  /** The range within which traffic is not masqueraded. */
  readonly nonMasqueradeRange: string;
  /** Undefined if pods have addresses of the machines' own network. */
  readonly podRange: string | undefined;
  readonly clusterDomain: string;
  readonly etcdClusters: readonly EtcdClusterSpec[];
  /** The images in the prepared assets. Undefined if machines pull images from registries. */
  readonly heldImages: readonly string[] | undefined;
  /** The hashes of the secrets that people brought. */
  readonly secrets: SecretHashes;
  /** The states of the keysets that were changed since they were created, by name. */
  readonly keysets: Readonly<Record<string, string>>;
  /** What a person configured for the scheduler, in its own format. */
  readonly schedulerConfiguration: JsonObject | undefined;
  /** kops made the cluster: its machines and kops itself may still need what it wrote and what it allowed. */
  readonly isOfKops: boolean;
}

/** What builders need to know about a cloud, through the facts of the cluster. Pure. */
export interface ModelCloud {
  /** The name in spec.cloudProvider. */
  readonly name: string;
  readonly traits: CloudTraits;
  readonly addons: CloudAddons;
  /** The DNS provider of the cluster's names. Undefined if there is none. */
  readonly zoneProvider: (facts: ClusterFacts) => ZoneProvider | undefined;
  /** A registry near the machines that has images of every other registry: containerd asks it first. */
  readonly registryMirror?: string;
  /** Additional settings of Docker on machines of this cloud. */
  readonly dockerSettings?: { readonly [key: string]: Json };
  /** The default class of volume snapshots, if the spec asks for one. */
  readonly snapshotClass?: (facts: Pick<ClusterFacts, 'isOfKops'>) => {
    readonly name: string;
    readonly driver: string;
  };
  /**
   * Additional fields of kubelet's configuration file that the API of kops does not have. They are set if the version of
   * kubelet has them.
   */
  readonly kubeletFields?: Readonly<Record<string, string | number | boolean>>;
  /**
   * The name that the cloud controller manager has for a machine, with placeholders for the machine's facts. Absent if
   * the manager finds it itself.
   */
  readonly providerId?: string;
  /** Whether Nodes are named after the addresses of their machines. Absent where one cloud has one way of naming them. */
  readonly namesFromAddresses?: (facts: Pick<ClusterFacts, 'kubernetesVersion' | 'spec'>) => boolean;
  /** What gives kubelet credentials of the cloud's own registry, where kubelet does not get them by itself. */
  readonly registryCredentials?: (facts: Pick<ClusterFacts, 'clusterName' | 'spec'>) => RegistryCredentials;
  readonly metadata: MetadataService;
  /** What a pod network needs of this cloud's machines, beyond what it needs in every cloud. kubelet waits for it. */
  readonly podNetworkPart?: (spec: ClusterSpec) => MachinePart | undefined;
  /** What makes an API server take identities of this cloud for users, if the spec asks for that. The API server waits for it. */
  readonly usersPart?: (spec: ClusterSpec) => MachinePart | undefined;
  /** The port on which its load balancer asks machines, without TLS, whether their API server is healthy. */
  readonly apiHealthPort?: (facts: Pick<ClusterFacts, 'spec'>) => number | undefined;
  /** The identity with which machines of a group act in this cloud, where its evidence about a machine states it. */
  readonly principalOf?: (facts: ClusterFacts, group: InstanceGroup) => string | undefined;
  /** Whether machines of a group may be prepared for later, and are stopped until then. */
  readonly hasWarmPool?: (group: InstanceGroup) => boolean;
  /** The hook by which the cloud waits for a new machine of a group until the machine says that it is prepared. */
  readonly launchHook?: (facts: Pick<ClusterFacts, 'clusterName'>, group: InstanceGroup) => LaunchHook | undefined;
  /** Where its machines ask for the time. */
  readonly timeServer?: string;
  /** Kernel settings of its machines, in addition to those in every cloud. */
  readonly sysctls?: Readonly<Record<string, string>>;
}

/** The service that tells machines of a cloud who they are. It takes any sender with a machine's address for that machine. */
export interface MetadataService {
  readonly ipv4: string;
  readonly ipv6?: string;
  readonly name?: string;
  /** It is the machines' DNS server as well, which pods may ask. */
  readonly hasDns?: true;
}

/** The addons of one cloud, in the order in which they are applied: addons that others need come first. */
export interface CloudAddons {
  readonly networks?: Readonly<Partial<Record<keyof NetworkingSpec, NetworkAddon>>>;
  /** Comes right after the pod network, because nodes are not ready until it runs. */
  readonly controller?: (facts: ClusterFacts) => readonly Addon[];
  readonly storage?: (facts: ClusterFacts) => readonly Addon[];
  /** What a pod of ours needs to get the rights that its service account has in the cloud, where it has any. */
  readonly withRole?: (facts: ClusterFacts, account: string, pod: JsonObject) => JsonObject;
  readonly others?: (facts: ClusterFacts, groups: readonly InstanceGroup[]) => readonly Addon[];
}

/** A pod network that is installed as an addon. */
export interface NetworkAddon {
  /** The name and id of its addon in kops. */
  readonly name: string;
  readonly id: string;
  readonly objects: (facts: ClusterFacts) => readonly AddonObject[];
}

/** The prepared assets, of which only their names and versions matter here. */
export interface PreparedAssets {
  readonly assets: readonly Pick<AssetEntry, 'name' | 'version' | 'image'>[];
}

/** What is at hand for a cluster, besides its spec. */
export interface AtHand extends Partial<PreparedAssets> {
  /** The hashes of the secrets that people brought. */
  readonly secrets?: SecretHashes | undefined;
  /** The states of the keysets that were changed since they were created, by name. */
  readonly keysets?: Readonly<Record<string, string>> | undefined;
  /** What a person configured for the scheduler, in its own format. */
  readonly schedulerConfiguration?: JsonObject | undefined;
  /** kops made the cluster. */
  readonly isOfKops?: boolean | undefined;
}

/**
 * @param atHand its prepared assets are the source of programs and images for machines that cannot reach a registry
 *
 * @throws ActionableError if the completed spec lacks a value that every cluster needs
 */
export function clusterFacts(
  cluster: Cluster,
  nodeStoreUrl: string,
  cloud: ModelCloud,
  { assets = [], secrets = {}, keysets = {}, schedulerConfiguration, isOfKops = false }: AtHand = {},
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
  const wanted = required('spec.kubernetesVersion', spec.kubernetesVersion);
  const version = cloud.traits.bringsImages ? runnableKubernetes(wanted, { assets }) : wanted;
  const kubernetes = kubernetesFacts(version);
  if (kubernetes === undefined) throw new Error(`${version} is not a Kubernetes version`);
  const serviceRange = required('spec.serviceClusterIPRange', spec.serviceClusterIPRange);
  const runtime = spec.containerRuntime === 'docker' ? 'docker' : 'containerd';
  if (runtime === 'docker' && !kubernetes.dockershim) {
    throw new ActionableError({
      what: `compute the nodes of ${metadata.name}`,
      why: `spec.containerRuntime is docker, which Kubernetes ${version} does not support (dockershim was removed in 1.24)`,
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
    heldImages: cloud.traits.bringsImages ? assets.flatMap(({ image }) => image ?? []) : undefined,
    secrets,
    keysets,
    schedulerConfiguration,
    isOfKops,
  };
}

/** The first usable address of a range: 100.64.0.0/13 → 100.64.0.1. */
export function firstAddress(range: string): string {
  const parsed = parseCidr(range);
  if (parsed === undefined) throw new Error(`${range} is not a range of addresses`);
  return addressAt(parsed, 1);
}
