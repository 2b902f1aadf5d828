import type { ObjectMeta } from './metadata.ts';
import type { InstanceGroupSpec } from './schema/instance-group.ts';

export type { InstanceGroupSpec } from './schema/instance-group.ts';

/** The label that says which cluster an object belongs to. */
export const CLUSTER_LABEL = 'kops.k8s.io/cluster';

/** An instance group as a person wrote it: any field may be absent. */
export interface InstanceGroup {
  readonly apiVersion: string;
  readonly kind: 'InstanceGroup';
  readonly metadata: ObjectMeta;
  readonly spec: InstanceGroupSpec;
}
