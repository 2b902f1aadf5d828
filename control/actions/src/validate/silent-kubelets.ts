import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import { NODE_LEASES, type NodeLease, readNodeLease } from '../access/node-lease.ts';

/**
 * For how long the kubelets have been silent whose lease has run out, in ms, by Node. kube-controller-manager calls such a Node not Ready
 * within some ten seconds: if it does not, it does not run, or cannot write that. A lease whose renewals the API server does not time
 * says nothing: the clock of a machine may be wrong. Pure.
 *
 * @param nowMs by the API server's clock
 */
export const silentKubelets = (leases: readonly NodeLease[], nowMs: number): ReadonlyMap<string, number> =>
  new Map(
    leases.flatMap(({ node, writtenMs, durationMs }) =>
      writtenMs !== undefined && nowMs - writtenMs > durationMs ? [[node, nowMs - writtenMs] as const] : [],
    ),
  );

/** Asks the API for the leases of all Nodes, and for the time by which they are compared. */
export async function askForSilence(
  kube: Pick<KubeClient, 'get' | 'timeMs'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  // Before the leases: one that is renewed meanwhile is no older than it seems.
  const nowMs = await kube.timeMs(signal);
  const leases: NodeLease[] = [];
  await listObjects(kube, NODE_LEASES, signal, (object) => {
    const lease = readNodeLease(asRecord(object));
    if (lease !== undefined) leases.push(lease);
  });
  return silentKubelets(leases, nowMs);
}
