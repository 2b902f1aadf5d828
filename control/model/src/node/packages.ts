import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { nodeTask } from './node-task.ts';
import { runtimePackages, seLinuxPolicy } from './runtime-packages.ts';
import { timePackages, updatePackages } from './time-and-updates.ts';
import { filesystemPackages } from './volume-mounts.ts';

/** What Docker's kubelet, pod networks and people call on the host (kops nodeup/pkg/model/packages.go). */
const NODE_PACKAGES = ['conntrack', 'ebtables', 'ethtool', 'iptables', 'socat'];

/**
 * What kubelet waits for. With containerd it calls none of the others, and many images have only iptables: a machine that
 * does not reach its distribution's mirrors joins without them, and its boot report says what is missing.
 */
export const kubeletPackages = ({ runtime }: Pick<NodeContext, 'runtime'>): readonly string[] =>
  runtime === 'docker' ? NODE_PACKAGES : ['iptables'];

/** Distribution packages: ours, and those the spec adds. */
export function packages(node: NodeContext): readonly Task[] {
  const names = [
    ...NODE_PACKAGES,
    ...filesystemPackages(node),
    ...timePackages(node),
    ...(node.spec.packages ?? []),
    ...(node.instanceGroup.spec.packages ?? []),
  ];
  const ofSomeDistributions = [...updatePackages(node), ...runtimePackages(node), ...seLinuxPolicy(node)];
  const others = [...new Set(names)].filter((name) => ofSomeDistributions.every((task) => task.name !== name));
  return [...others.sort().map((name) => nodeTask('Package', name, { name })), ...ofSomeDistributions];
}
