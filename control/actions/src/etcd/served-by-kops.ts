import type { NodeStatus, PodStatus } from '../access/kubernetes-objects.ts';
import { isReady } from '../validate/plan-validation.ts';

export interface NodeMachine {
  readonly nodeName: string;
  readonly running: boolean;
  readonly machineId?: string;
  /** It was made from what is applied: by kopsctl, or by kops where only the adoption was recorded so far. */
  readonly isCurrent?: boolean;
  /** In ms since 1970. */
  readonly launchedMs?: number;
}

/**
 * Whether a machine of kops serves its member of an etcd cluster. kops's manager, a static pod, publishes nothing. Its API
 * server uses the member of its own machine, and is ready only while that answers with a quorum (the probe asks /healthz:
 * kops nodeup/pkg/model/kube_apiserver.go). A machine of kopsctl runs its manager without a pod; while its kubelet starts,
 * the pods of a machine of kops that had the Node before may still be listed. Pure.
 */
export function isServedByKops(
  etcd: string,
  { nodeName, running, machineId, isCurrent = false, launchedMs = Infinity }: NodeMachine,
  { nodes, pods }: { readonly nodes: readonly NodeStatus[]; readonly pods: readonly PodStatus[] },
): boolean {
  const node = nodes.find(({ name }) => name === nodeName);
  const isOwn = node !== undefined && (machineId === undefined || node.machineId === machineId);
  if (!running || !isOwn || !isReady(node)) return false;
  const serving = (component: string): PodStatus | undefined =>
    pods.find(
      (pod) =>
        pod.name === `${component}-${nodeName}` &&
        pod.node === nodeName &&
        pod.phase === 'Running' &&
        pod.containers.length > 0 &&
        pod.containers.every(({ ready }) => ready),
    );
  const manager = serving(`etcd-manager-${etcd}`);
  if (manager === undefined || serving('kube-apiserver') === undefined) return false;
  return !isCurrent || (manager.startedMs ?? -Infinity) >= launchedMs;
}
