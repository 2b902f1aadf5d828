import type { ClusterSpec, ContainerdConfig } from '@kopsctl/spec/cluster.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { fillIn } from '@kopsctl/spec/complete/infer.ts';
import { CONTAINERD_SOCKET } from '@kopsctl/spec/node-paths.ts';

/** The settings of containerd on the machines of a group. Settings of the group override those of the cluster. */
export function containerdSettings(spec: ClusterSpec, group: InstanceGroup): ContainerdConfig {
  return fillIn(group.spec.containerd ?? {}, spec.containerd ?? {}, 'spec.containerd', () => undefined);
}

/** The socket on which containerd serves kubelet, and everything else on the machine. */
export const containerdSocket = ({ address = CONTAINERD_SOCKET }: ContainerdConfig): string => address;
