import type { KubeClient } from '@kopsctl/kube/client.ts';

/** Services' load balancers send nothing to such a Node (Kubernetes, well-known labels). */
const OUT_OF_LOAD_BALANCERS = 'node.kubernetes.io/exclude-from-external-load-balancers';

const nodePath = (node: string): string => `/api/v1/nodes/${encodeURIComponent(node)}`;

/** No new pod is scheduled to the Node, and load balancers of Services leave it out. */
export async function cordon(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  const patch = { metadata: { labels: { [OUT_OF_LOAD_BALANCERS]: '' } }, spec: { unschedulable: true } };
  await kube.mergePatch(nodePath(node), patch, signal);
}

/** Takes `cordon` back. */
export async function uncordon(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  const patch = { metadata: { labels: { [OUT_OF_LOAD_BALANCERS]: null } }, spec: { unschedulable: null } };
  await kube.mergePatch(nodePath(node), patch, signal);
}

/** Removes the Node of a machine that is gone. It need not exist. */
export async function removeNode(kube: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  await kube.remove(nodePath(node), signal);
}
