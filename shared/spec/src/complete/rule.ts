import type { CloudTraits } from '../cloud-traits.ts';
import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup, InstanceGroupSpec } from '../instance-group.ts';
import type { Inferred } from './infer.ts';
import type { KubernetesFacts } from '../kubernetes-versions.ts';

/** Inputs of completion besides the spec. Completion does no I/O. */
export interface CompletionFacts {
  /** The state store as the operator reaches it: `file:///var/…`, `s3://bucket`. */
  readonly stateStoreUrl: string;
  /** The range of the shared network in spec.networkID, if the cloud was asked for it. */
  readonly networkCidr?: string;
}

/** The state of completion that a rule sees. */
export interface Known {
  readonly clusterName: string;
  readonly spec: ClusterSpec;
  readonly instanceGroups: readonly InstanceGroup[];
  readonly facts: CompletionFacts;
  readonly traits: CloudTraits;
  /** Determined by the spec's Kubernetes version. Undefined until that is known. */
  readonly defaults: KubernetesFacts | undefined;
}

/**
 * Infers values from the current state and omits what it does not know yet. Rules run until none of them adds a value.
 */
export interface ClusterRule {
  /** Shown to users as the origin of a value: `default of the local cloud`. */
  readonly name: string;
  infer(known: Known): Inferred<ClusterSpec>;
}

export interface InstanceGroupRule {
  readonly name: string;
  infer(group: InstanceGroup, known: Known): Inferred<InstanceGroupSpec>;
}

/**
 * Replaces values, including values that users set, that the cloud or Kubernetes would refuse and that kops replaces without
 * asking.
 */
export interface Correction {
  /** Shown to users as the origin of a replaced value. */
  readonly name: string;
  readonly cluster: (spec: ClusterSpec) => ClusterSpec;
  readonly instanceGroup: (spec: InstanceGroupSpec, cluster: ClusterSpec) => InstanceGroupSpec;
}
