import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import { NODE_LEASES, type NodeLease, readNodeLease } from '../access/node-lease.ts';
import { printable } from '../follow/printable.ts';
import { within } from '../phases/within.ts';

/** Leases are small: a thousand take a second. */
const LEASES_TIMEOUT_MS = 10_000;

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

/** For how long kubelets have been silent, in ms, by Node; or why that is not known. */
export type Silence = { readonly silentMs: ReadonlyMap<string, number> } | { readonly failure: string };

/**
 * Asks which kubelets are silent. It may be forbidden to a person who may list Nodes: the rest of what they ask is answered then.
 *
 * @param whose the cluster or the instance group that is asked about, for the error
 */
export async function askForSilence(
  kube: Pick<KubeClient, 'get' | 'timeMs'>,
  whose: string,
  signal: AbortSignal,
): Promise<Silence> {
  try {
    const what = `list the leases of the Nodes of ${whose}`;
    return { silentMs: await within(LEASES_TIMEOUT_MS, what, signal, (ending) => silenceByLeases(kube, ending)) };
  } catch (error) {
    const why = printable(messageOf(error));
    return {
      failure: `it is not known whether kubelets are silent, which requires the right to list leases in kube-node-lease: ${why}`,
    };
  }
}

/** Asks the API for the leases of all Nodes, and for the time by which they are compared. */
async function silenceByLeases(
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
