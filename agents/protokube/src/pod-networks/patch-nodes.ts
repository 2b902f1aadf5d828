import type { Log } from '@kopsctl/agent/log.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import type { NetworkPatch } from './plan-pod-networks.ts';

/** Gives nodes what was decided for them, and logs each under `what`. */
export async function patchNodes(
  patches: readonly NetworkPatch[],
  what: string,
  { kube, log }: { readonly kube: KubeClient; readonly log: Log },
  signal: AbortSignal,
): Promise<void> {
  for (const { node, summary, patch } of patches) {
    try {
      await kube.mergePatch(`/api/v1/nodes/${node}`, patch, signal);
      log.info(what, { summary });
    } catch (error) {
      // It is gone, or has a range that it got meanwhile (422), for example by its kubelet: the watch wakes the loop again.
      if (!(error instanceof KubeError && [404, 409, 422].includes(error.status))) throw error;
    }
  }
}
