import type { Log } from '@kopsctl/agent/log.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { createWarning } from '@kopsctl/kube/warning-event.ts';
import type { RefusedNetwork } from './plan-pod-networks.ts';

/** Kubernetes never changes the network of a node. A deleted Node is registered again by its kubelet, without a network. */
const DELETE_IT = 'if you trust its machine: drain the node, run kubectl delete node, and restart its kubelet';

/** Says in the log and, for people who look at the node, by an event that nothing is sent to its pods. */
export async function tellRefused(
  { node, podCIDR, why }: RefusedNetwork,
  { kube, log }: { readonly kube: KubeClient; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  log.error('pod network refused', { node, podCIDR, why, next: DELETE_IT });
  const warning = {
    // kubelet gives the name as uid too.
    about: { kind: 'Node', name: node, uid: node },
    reason: 'PodNetworkRefused',
    message: `nothing is sent to the pods of ${node} in ${podCIDR}: ${why}. Next: ${DELETE_IT}`,
    component: 'protokube',
  };
  try {
    await createWarning(kube, warning, Date.now(), signal);
  } catch (error) {
    // The refusal stands whether or not an event reports it.
    if (!signal.aborted) log.warn('event not created', { node, error });
  }
}
