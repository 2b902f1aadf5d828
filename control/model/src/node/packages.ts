import type { Task } from '@kopsctl/tasks/task.ts';
import type { NodeContext } from './node-context.ts';
import { nodeTask } from './node-task.ts';

/**
 * What kubelet and kube-proxy call on the host (kops nodeup/pkg/model/packages.go: conntrack, ebtables, ethtool,
 * iptables, socat). Nothing waits for them but kubelet's start.
 */
export const NODE_PACKAGES = ['conntrack', 'ebtables', 'ethtool', 'iptables', 'socat'];

/** Distribution packages: ours, and those the spec adds. */
export function packages(node: NodeContext): readonly Task[] {
  const names = [...NODE_PACKAGES, ...(node.spec.packages ?? []), ...(node.instanceGroup.spec.packages ?? [])];
  return [...new Set(names)].sort().map((name) => nodeTask('Package', name, { name }));
}
