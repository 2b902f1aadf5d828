import type { ClusterSpec } from '../cluster.ts';
import type { InstanceGroup, InstanceGroupSpec } from '../instance-group.ts';
import type { Inferred } from './infer.ts';
import type { KubernetesFacts } from '../kubernetes-versions.ts';

/** What completion is told, since it looks nothing up. */
export interface CompletionFacts {
  /** Where the cluster's state is kept, as the operator reaches it: `file:///var/…`, `s3://bucket`. */
  readonly stateStoreUrl: string;
  /** The range of the network of others that spec.networkID names, where a cloud was asked for it. */
  readonly networkCidr?: string;
  /** The Kubernetes version that the cluster's channel recommends. */
  readonly recommendedKubernetesVersion?: string;
}

/** What is known so far, when a rule is asked. */
export interface Known {
  readonly clusterName: string;
  readonly spec: ClusterSpec;
  readonly instanceGroups: readonly InstanceGroup[];
  readonly facts: CompletionFacts;
  /** By the spec's Kubernetes version; undefined until that is known. */
  readonly defaults: KubernetesFacts | undefined;
}

/** Infers values from what is known. It says nothing about what it cannot know yet: rules run again until none says anything new. */
export interface ClusterRule {
  /** Shown to people as the origin of a value: `default of the local cloud`. */
  readonly name: string;
  infer(known: Known): Inferred<ClusterSpec>;
}

export interface InstanceGroupRule {
  readonly name: string;
  infer(group: InstanceGroup, known: Known): Inferred<InstanceGroupSpec>;
}
