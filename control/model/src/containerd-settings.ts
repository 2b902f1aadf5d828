import type { ClusterSpec } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fillIn } from '@kopsctl/spec/complete/infer.ts';

/** How containerd is set up on the machines of a group: what the group sets goes before what the cluster sets. */
export function containerdSettings(spec: ClusterSpec, group: InstanceGroup): NonNullable<ClusterSpec['containerd']> {
  return fillIn(group.spec.containerd ?? {}, spec.containerd ?? {}, 'spec.containerd', () => undefined);
}
