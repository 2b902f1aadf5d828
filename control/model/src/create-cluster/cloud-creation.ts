import type { Cluster, ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { MachineRole } from './channel.ts';
import type { CloudRules } from './cloud-rules.ts';
import type { CreateClusterFacts, CreateClusterFlags, NamedNetwork, SharedNetwork } from './flags.ts';

export interface InferredCluster {
  readonly cluster: Cluster;
  /** Control planes, API servers, nodes, bastions. */
  readonly instanceGroups: readonly InstanceGroup[];
}

export interface WantedGroup {
  readonly name: string;
  readonly role: MachineRole;
  /** Empty if the user named none. */
  readonly subnets: readonly string[];
}

/** How `create cluster` and `create instancegroup` infer objects of a cloud. */
export interface CloudCreation {
  /**
   * The scheme of state stores of this cloud (`s3`). It determines the cloud if nothing else names one (kops pkg/clouds).
   */
  readonly storeScheme?: string;
  /**
   * Whether a zone has a name like the zones of this cloud, which those of no other cloud have. It determines the cloud as well.
   */
  readonly ownsZone?: (zone: string) => boolean;
  /** Adds flags from the configuration of the operator's machine, such as the project of `gcloud`. */
  readonly flagsOfHost?: (flags: CreateClusterFlags, env: Readonly<NodeJS.ProcessEnv>) => Promise<CreateClusterFlags>;
  /**
   * Asks the cloud for the network that a new cluster is to share: its range, and the zones and ranges of its subnets.
   *
   * @throws ActionableError that names what is not there
   */
  readonly findNetwork?: (named: NamedNetwork, flags: CreateClusterFlags) => Promise<SharedNetwork>;
  readonly infer: (
    flags: CreateClusterFlags,
    facts: CreateClusterFacts,
  ) => { readonly spec: ClusterSpec; readonly instanceGroups: readonly InstanceGroup[] };
  /** Infers what depends on the spec after --set and --unset were applied. */
  readonly finish: (cluster: Cluster, facts: CreateClusterFacts) => ClusterSpec;
  readonly instanceGroup: (cluster: Cluster, wanted: WantedGroup) => InstanceGroup;
  /** What --networking may be with this cloud only. */
  readonly networkings?: readonly string[];
  /** The images of the channel. Absent if it has none for this cloud. */
  readonly images?: CloudRules['images'] | undefined;
  /** By default amd64. */
  readonly architectureOf?: CloudRules['architectureOf'] | undefined;
  /** Sentences about values that could not be inferred. The user has to set them before the cluster can be made. */
  readonly leftOpen: (inferred: InferredCluster) => readonly string[];
}

/** A cloud that clusters can be inferred for. */
export interface CreatableCloud extends SpecCloud {
  readonly creation: CloudCreation;
}
