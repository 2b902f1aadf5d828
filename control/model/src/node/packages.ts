import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { nodeTask } from './node-task.ts';
import { runtimePackages, seLinuxPolicy } from './runtime-packages.ts';
import { timePackages, updatePackages } from './time-and-updates.ts';
import { filesystemPackages } from './volume-mounts.ts';

/**
 * What kubelet and kube-proxy call on the host (kops nodeup/pkg/model/packages.go: conntrack, ebtables, ethtool,
 * iptables, socat). Nothing waits for them but kubelet's start.
 */
export const NODE_PACKAGES = ['conntrack', 'ebtables', 'ethtool', 'iptables', 'socat'];

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
