import type { NodeStatus, PodStatus } from './kubernetes-api.ts';

/** One thing that is not as it should be, in kops's shape of `validate cluster`. */
export interface ValidationFailure {
  readonly kind: 'Machine' | 'Node' | 'Pod' | 'API';
  readonly name: string;
  readonly message: string;
}

export interface ExpectedNode {
  readonly nodeName: string;
  readonly instanceGroup: string;
  readonly controlPlane: boolean;
  /** /etc/machine-id, where the cloud tells it: a Node may still be that of a machine of the same name before. */
  readonly machineId?: string;
  readonly running: boolean;
}

/** Static pods that every control-plane node must have (kops pkg/validation). */
const CONTROL_PLANE_PODS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'];
const CRITICAL_CLASSES = ['system-cluster-critical', 'system-node-critical'];

const isReady = (node: NodeStatus) =>
  node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** Everything that keeps a cluster from being valid; empty means valid. */
export function validationFailures(
  expected: readonly ExpectedNode[],
  nodes: readonly NodeStatus[],
  systemPods: readonly PodStatus[],
): readonly ValidationFailure[] {
  const failures: ValidationFailure[] = [];
  const byName = new Map(nodes.map((node) => [node.metadata.name, node]));
  for (const machine of expected) {
    const node = byName.get(machine.nodeName);
    if (!machine.running) {
      failures.push({ kind: 'Machine', name: machine.nodeName, message: 'the machine is not running' });
    } else if (node === undefined) {
      failures.push({ kind: 'Machine', name: machine.nodeName, message: 'the machine has not yet joined the cluster' });
    } else if (machine.machineId !== undefined && node.status?.nodeInfo?.machineID !== machine.machineId) {
      failures.push({
        kind: 'Machine',
        name: machine.nodeName,
        message: 'the machine has not yet taken its Node over',
      });
    } else if (!isReady(node)) {
      const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
      failures.push({
        kind: 'Node',
        name: machine.nodeName,
        message: `not Ready: ${ready?.message ?? 'no status yet'}`,
      });
    } else if (machine.controlPlane) {
      for (const component of CONTROL_PLANE_PODS) {
        const pod = systemPods.find(({ metadata }) => metadata.name === `${component}-${machine.nodeName}`);
        if (pod === undefined) {
          failures.push({ kind: 'Node', name: machine.nodeName, message: `has no ${component} pod` });
        }
      }
    }
  }
  for (const pod of systemPods) {
    if (!CRITICAL_CLASSES.includes(pod.spec?.priorityClassName ?? '')) continue;
    const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
    const phase = pod.status?.phase ?? 'Unknown';
    if (phase === 'Pending' || phase === 'Unknown' || phase === 'Failed') {
      failures.push({ kind: 'Pod', name, message: `is ${phase}` });
      continue;
    }
    const unready = (pod.status?.containerStatuses ?? []).filter(({ ready }) => !ready).map(({ name }) => name);
    if (phase !== 'Succeeded' && unready.length > 0) {
      failures.push({ kind: 'Pod', name, message: `is not ready (${unready.join(', ')})` });
    }
  }
  return failures;
}
