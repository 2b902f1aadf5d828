import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { isReady } from '../validate/plan-validation.ts';

export interface NodeMachine {
  readonly nodeName: string;
  readonly running: boolean;
  readonly machineId?: string;
}

/**
 * Whether a machine of kops serves its member of an etcd cluster. kops's manager, a static pod, publishes nothing. Its API
 * server uses the member of its own machine, and is ready only while that answers with a quorum (the probe asks /healthz:
 * kops nodeup/pkg/model/kube_apiserver.go). A machine of kopsctl runs its manager without a pod. Pure.
 */
export function isServedByKops(
  etcd: string,
  { nodeName, running, machineId }: NodeMachine,
  { nodes, pods }: { readonly nodes: readonly NodeStatus[]; readonly pods: readonly PodStatus[] },
): boolean {
  const node = nodes.find(({ name }) => name === nodeName);
  const isOwn = node !== undefined && (machineId === undefined || node.machineId === machineId);
  if (!running || !isOwn || !isReady(node)) return false;
  return [`etcd-manager-${etcd}`, 'kube-apiserver'].every((component) =>
    pods.some(
      (pod) =>
        pod.name === `${component}-${nodeName}` &&
        pod.node === nodeName &&
        pod.phase === 'Running' &&
        pod.containers.length > 0 &&
        pod.containers.every(({ ready }) => ready),
    ),
  );
}
