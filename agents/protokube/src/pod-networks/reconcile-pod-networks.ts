import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { CloudMachine } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { patchNodes } from './patch-nodes.ts';
import { planPodNetworks, type NodeNetwork, type RefusedNetwork } from './plan-pod-networks.ts';
import { ADDRESS_LABEL, NETWORK_LABEL } from './route-labels.ts';
import { tellRefused } from './tell-refused.ts';

/** Nodes and machines are watched; this only makes up for a missed change of leader. */
const LOOK_AGAIN_MS = 60_000;

export interface PodNetworksEnv {
  readonly kube: KubeClient;
  readonly machines: Latest<CloudMachine>;
  readonly leadership: Leadership;
  readonly log: Log;
}

/**
 * While this machine leads, assigns each new node its pod network, and says in labels where its pods are reached, which
 * `routes` of all machines follow. kube-controller-manager could do it, but its allocator
 * starts with a fixed wait of ten seconds, and all controllers that start after it wait too, including the signer of
 * kubelet certificates (Kubernetes 1.20, pkg/controller/nodeipam/ipam: listNodes).
 */
export async function reconcilePodNetworks(range: string, env: PodNetworksEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  env.machines.ringOnChange(wake);
  let said = '';
  const act = async (seen: readonly NodeNetwork[], inner: AbortSignal): Promise<void> => {
    const refused = await env.leadership.whileLeading(inner, (term) => decide(range, seen, env, term));
    if (refused === undefined || said === (said = JSON.stringify(refused))) return;
    for (const one of refused) await tellRefused(one, env, inner);
  };
  await actOnObjects(env.kube, { path: '/api/v1/nodes', parse, wake, lookAgainMs: LOOK_AGAIN_MS, act }, signal);
}

async function decide(
  range: string,
  seen: readonly NodeNetwork[],
  { kube, machines, log }: PodNetworksEnv,
  signal: AbortSignal,
): Promise<readonly RefusedNetwork[]> {
  // Without the cloud's list, every node would seem to have lost its machine.
  if (machines.items === undefined) return [];
  const addresses = new Map(machines.items.map(({ nodeName, address }) => [nodeName, address]));
  const before = planPodNetworks(range, seen, addresses);
  if (before.patches.length === 0 && !before.isFull) return before.refused;
  // A watch lags behind the assignments of this leader and of the one before it; a list does not.
  const { patches, refused, isFull } = planPodNetworks(range, await listNodes(kube, signal), addresses);
  await patchNodes(patches, 'pod network decided', { kube, log }, signal);
  if (isFull) {
    throw new ActionableError({
      what: 'give every node a pod network',
      why: `all networks of ${range} are in use`,
      next: 'remove nodes that are gone for good (kubectl delete node NAME); the range of a cluster cannot grow',
    });
  }
  return refused;
}

/** The nodes as etcd has them at this moment: a list without a resourceVersion is not served from a cache. */
async function listNodes(kube: KubeClient, signal: AbortSignal): Promise<readonly NodeNetwork[]> {
  const { items } = asRecord(await kube.get('/api/v1/nodes', signal));
  return (Array.isArray(items) ? items : []).flatMap((item) => parse(item) ?? []);
}

function parse(object: unknown): NodeNetwork | undefined {
  const { metadata, spec } = asRecord(object);
  const { name, creationTimestamp, labels } = asRecord(metadata);
  if (typeof name !== 'string') return undefined;
  return {
    name,
    createdMs: Date.parse(asString(creationTimestamp) ?? '') || 0,
    podCIDR: asString(asRecord(spec)['podCIDR']),
    network: asString(asRecord(labels)[NETWORK_LABEL]),
    address: asString(asRecord(labels)[ADDRESS_LABEL]),
  };
}
