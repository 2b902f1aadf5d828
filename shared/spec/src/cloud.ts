import type { Cluster, ClusterSpec } from './cluster.ts';
import { CLOUD_TRAITS, type CloudTraits } from './cloud-traits.ts';
import type { ClusterRule, InstanceGroupRule } from './complete/rule.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { Fault } from './validate/fault.ts';

/** What a spec can ask for that some clouds have and others do not. */
export type CloudFeature =
  | 'pod addresses in the network'
  | 'cluster autoscaler'
  | 'external-dns'
  | 'load balancer controller'
  | 'node termination handler'
  | 'persistent disk driver'
  | 'pod identity webhook';

/** A cloud that spec.cloudProvider can name. */
export type CloudName = NonNullable<ClusterSpec['cloudProvider']>;

/** What completing and checking a spec has to know of its cloud. */
export interface SpecCloud {
  /** As spec.cloudProvider names it. */
  readonly name: string;
  readonly traits: CloudTraits;
  readonly features: readonly CloudFeature[];
  /** Values of this cloud for what a person left open. They are asked before the rules of every cloud, so they win. */
  readonly clusterRules: readonly ClusterRule[];
  readonly instanceGroupRules: readonly InstanceGroupRule[];
  /** What this cloud cannot have of a spec that is otherwise valid. */
  readonly validate: (cluster: Cluster, groups: readonly InstanceGroup[]) => Iterable<Fault>;
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
