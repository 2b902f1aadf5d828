import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { findSharedNetworks, planPodNetworks, type NodeNetwork } from './plan-pod-networks.ts';

/** Nodes are watched; this only makes up for a missed change of leader. */
const LOOK_AGAIN_MS = 60_000;

/** Kubernetes never changes the network of a node. A deleted Node is registered again by its kubelet, without a network. */
const DELETE_ONE = 'drain all of them but one, run kubectl delete node on each, and restart its kubelet';

export interface PodNetworksEnv {
  readonly kube: KubeClient;
  readonly leadership: Leadership;
  readonly log: Log;
}

/**
 * While this machine leads, assigns each new node its pod network. kube-controller-manager could do it, but its allocator
 * starts with a fixed wait of ten seconds, and all controllers that start after it wait too, including the signer of
 * kubelet certificates (Kubernetes 1.20, pkg/controller/nodeipam/ipam: listNodes).
 */
export async function reconcilePodNetworks(range: string, env: PodNetworksEnv, signal: AbortSignal): Promise<void> {
  const wake = new Wake();
  env.leadership.ringOnChange(wake);
  let said = '';
  const act = async (nodes: readonly NodeNetwork[], inner: AbortSignal): Promise<void> => {
    await env.leadership.whileLeading(inner, (term) => assign(range, nodes, env, term));
    const shared = findSharedNetworks(nodes);
    if (said === (said = JSON.stringify(shared))) return;
    for (const { podCIDR, nodes: names } of shared) {
      env.log.error('nodes share a pod network', { podCIDR, nodes: names.join(', '), next: DELETE_ONE });
    }
  };
  await actOnObjects(env.kube, { path: '/api/v1/nodes', parse, wake, lookAgainMs: LOOK_AGAIN_MS, act }, signal);
}

async function assign(
  range: string,
  seen: readonly NodeNetwork[],
  { kube, log }: PodNetworksEnv,
  signal: AbortSignal,
): Promise<void> {
  if (seen.every(({ podCIDR }) => podCIDR !== undefined)) return;
  // A watch lags behind the assignments of this leader and of the one before it; a list does not.
  const { assignments, isFull } = planPodNetworks(range, await listNodes(kube, signal));
  for (const { node, podCIDR } of assignments) {
    await kube.mergePatch(`/api/v1/nodes/${node}`, { spec: { podCIDR, podCIDRs: [podCIDR] } }, signal);
    log.info('pod network assigned', { node, podCIDR });
  }
  if (isFull) {
    throw new ActionableError({
      what: 'give every node a pod network',
      why: `all networks of ${range} are in use`,
      next: 'remove nodes that are gone for good (kubectl delete node NAME); the range of a cluster cannot grow',
    });
  }
}

/** The nodes as etcd has them at this moment: a list without a resourceVersion is not served from a cache. */
async function listNodes(kube: KubeClient, signal: AbortSignal): Promise<readonly NodeNetwork[]> {
  const { items } = asRecord(await kube.get('/api/v1/nodes', signal));
  return (Array.isArray(items) ? items : []).flatMap((item) => parse(item) ?? []);
}

function parse(object: unknown): NodeNetwork | undefined {
  const { metadata, spec } = asRecord(object);
  const name = asString(asRecord(metadata)['name']);
  return name === undefined ? undefined : { name, podCIDR: asString(asRecord(spec)['podCIDR']) };
}
