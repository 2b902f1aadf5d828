import type { Cluster, ClusterSpec } from './cluster.ts';
import { CLOUD_TRAITS, type CloudTraits } from './cloud-traits.ts';
import type { ClusterRule, Correction, InstanceGroupRule } from './complete/rule.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { CloudSettings } from './unread/foreign-settings.ts';
import type { Fault } from './validate/fault.ts';
import type { WordTable } from './validate/words.ts';

/** Features that a spec can ask for and that only some clouds have. */
export type CloudFeature =
  | 'pod addresses in the network'
  | 'IPv6 ranges of machines'
  | 'pod ranges in the subnet'
  | 'cluster autoscaler'
  | 'external-dns'
  | 'hosted zones of cert-manager'
  | 'IAM authenticator'
  | 'load balancer controller'
  | 'node termination handler'
  | 'persistent disk driver'
  | 'pod identity webhook';

/** A cloud that spec.cloudProvider can name. */
export type CloudName = NonNullable<ClusterSpec['cloudProvider']>;

/** What completion and validation need to know about a cloud. */
export interface SpecCloud {
  /** The name in spec.cloudProvider. */
  readonly name: string;
  readonly traits: CloudTraits;
  readonly features: readonly CloudFeature[];
  /** Defaults of this cloud. They run before the rules for every cloud, so they win. */
  readonly clusterRules: readonly ClusterRule[];
  readonly instanceGroupRules: readonly InstanceGroupRule[];
  /** By path, fields of the cluster that no rule sets in this cloud, and what `explain` says of each. */
  readonly leftOpen?: (spec: ClusterSpec) => Readonly<Record<string, string>>;
  /** The same for fields of an instance group. */
  readonly leftOpenOfGroup?: (spec: ClusterSpec, group: InstanceGroup) => Readonly<Record<string, string>>;
  /** Run on the completed spec. */
  readonly corrections?: readonly Correction[];
  /**
   * The settings that this cloud reads, among the ones that not every cloud reads. With another cloud, a person is told about them.
   */
  readonly settings?: CloudSettings;
  /** The words of fields that only this cloud reads. */
  readonly words?: WordTable;
  /** Reports what this cloud does not support in an otherwise valid spec. */
  readonly validate: (cluster: Cluster, groups: readonly InstanceGroup[]) => Iterable<Fault>;
  /** Settings that are valid in a completed spec and have no effect in this cloud, or none with each other. People are told of them. */
  readonly leftOut?: (cluster: Cluster, groups: readonly InstanceGroup[]) => Iterable<Fault>;
  /**
   * What the cloud itself refuses in a completed spec that kops accepts, such as names and labels. Where kopsctl makes the
   * resources, no change is begun; where another program does, people are told.
   */
  readonly refusals?: (cluster: Cluster, groups: readonly InstanceGroup[]) => Iterable<Fault>;
}

/** A cloud that has no rules of its own. */
export const plainCloud = <Name extends string>(name: Name): SpecCloud & { readonly name: Name } => ({
  name,
  traits: CLOUD_TRAITS,
  features: [],
  clusterRules: [],
  instanceGroupRules: [],
  validate: () => [],
});
