import type { ExpectedNode } from '@kopsctl/model/cloud.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { NodeStatus, PodStatus } from '../access/kubernetes-api.ts';

/** One thing that is not as it should be, in kops's shape of `validate cluster`. */
export interface ValidationFailure {
  readonly kind: 'Machine' | 'Node' | 'Pod' | 'API';
  readonly name: string;
  readonly message: string;
}

/** Static pods that every node of a role must have (kops pkg/validation; it asks for none on API servers of their own). */
const STATIC_PODS: Readonly<Record<NodeRole, readonly string[]>> = {
  ControlPlane: ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'],
  APIServer: ['kube-apiserver'],
  Node: [],
  Bastion: [],
};
const CRITICAL_CLASSES = ['system-cluster-critical', 'system-node-critical'];

/** The node's kubelet says that it is ready. */
export const isReady = (node: NodeStatus): boolean =>
  node.conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

/** Everything that keeps a cluster from being valid; empty means valid. */
export function validationFailures(
  expected: readonly ExpectedNode[],
  nodes: readonly NodeStatus[],
  systemPods: readonly PodStatus[],
): readonly ValidationFailure[] {
  const failures: ValidationFailure[] = [];
  const byName = new Map(nodes.map((node) => [node.name, node]));
  for (const machine of expected) {
    const node = byName.get(machine.nodeName);
    if (!machine.running) {
      failures.push({ kind: 'Machine', name: machine.nodeName, message: 'the machine is not running' });
    } else if (node === undefined) {
      failures.push({ kind: 'Machine', name: machine.nodeName, message: 'the machine has not yet joined the cluster' });
    } else if (machine.machineId !== undefined && node.machineId !== machine.machineId) {
      failures.push({
        kind: 'Machine',
        name: machine.nodeName,
        message: 'the machine has not yet taken its Node over',
      });
    } else if (!isReady(node)) {
      const ready = node.conditions.find(({ type }) => type === 'Ready');
      failures.push({
        kind: 'Node',
        name: machine.nodeName,
        message: `not Ready: ${ready?.message ?? 'no status yet'}`,
      });
    } else {
      for (const component of STATIC_PODS[machine.role]) {
        const pod = systemPods.find(({ name }) => name === `${component}-${machine.nodeName}`);
        if (pod === undefined) {
          failures.push({ kind: 'Node', name: machine.nodeName, message: `has no ${component} pod` });
        }
      }
    }
  }
  for (const pod of systemPods) {
    if (!CRITICAL_CLASSES.includes(pod.priorityClassName ?? '')) continue;
    const name = `${pod.namespace}/${pod.name}`;
    const { phase } = pod;
    if (phase === 'Pending' || phase === 'Unknown' || phase === 'Failed') {
      failures.push({ kind: 'Pod', name, message: `is ${phase}` });
      continue;
    }
    const unready = pod.containers.filter(({ ready }) => !ready).map(({ name }) => name);
    if (phase !== 'Succeeded' && unready.length > 0) {
      failures.push({ kind: 'Pod', name, message: `is not ready (${unready.join(', ')})` });
    }
  }
  return failures;
}
