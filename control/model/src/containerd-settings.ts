import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fillIn } from '@kopsctl/spec/complete/infer.ts';

/** The settings of containerd on the machines of a group. Settings of the group override those of the cluster. */
export function containerdSettings(spec: ClusterSpec, group: InstanceGroup): NonNullable<ClusterSpec['containerd']> {
  return fillIn(group.spec.containerd ?? {}, spec.containerd ?? {}, 'spec.containerd', () => undefined);
}
