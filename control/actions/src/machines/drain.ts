import { setTimeout as sleep } from 'node:timers/promises';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import { type DrainedPod, podsToEvict } from './plan-drain.ts';

export interface Draining {
  readonly kube: KubeClient;
  readonly node: string;
  /** How long pods have to leave. */
  readonly timeoutMs: number;
  /** The pause after an eviction that a PodDisruptionBudget refused. kops: 5 s. */
  readonly retryMs?: number;
  /** Told once for each pod that a PodDisruptionBudget holds back. */
  readonly onHeldBack?: (pod: string) => void;
}

const RETRY_MS = 5_000;
/** Too Many Requests: a PodDisruptionBudget does not allow it now. */
const HELD_BACK = 429;

/**
 * Evicts the pods of a Node, as their PodDisruptionBudgets allow, and waits until they are gone.
 *
 * @throws ActionableError that names the pods that are still there when the time is over
 */
export async function drain(
  { kube, node, timeoutMs, retryMs = RETRY_MS, onHeldBack = () => undefined }: Draining,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  const version = await evictionVersion(kube, signal);
  const asked = new Set<string>();
  const told = new Set<string>();
  for (;;) {
    const pods = podsToEvict(await podsOf(kube, node, signal));
    if (pods.length === 0) return;
    if (Date.now() >= deadlineMs) throw stillThere(node, pods, timeoutMs);
    for (const pod of pods.filter(({ uid }) => !asked.has(uid))) {
      if (await evict(kube, version, pod, signal)) asked.add(pod.uid);
      else if (!told.has(pod.uid)) {
        told.add(pod.uid);
        onHeldBack(`${pod.namespace}/${pod.name}`);
      }
    }
    await sleep(Math.max(0, Math.min(retryMs, deadlineMs - Date.now())), undefined, { signal });
  }
}

async function podsOf(kube: KubeClient, node: string, signal: AbortSignal): Promise<readonly unknown[]> {
  const pods: unknown[] = [];
  const fieldSelector = encodeURIComponent(`spec.nodeName=${node}`);
  await listObjects(kube, `/api/v1/pods?fieldSelector=${fieldSelector}`, signal, (pod) => pods.push(pod));
  return pods;
}

/** Returns whether the pod is on its way out. */
async function evict(kube: KubeClient, apiVersion: string, pod: DrainedPod, signal: AbortSignal): Promise<boolean> {
  const { namespace, name, uid } = pod;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
  const deleteOptions = uid === '' ? {} : { preconditions: { uid } };
  try {
    await kube.create(path, { apiVersion, kind: 'Eviction', metadata: { namespace, name }, deleteOptions }, signal);
    return true;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    if (error.status === HELD_BACK) return false;
    // It is gone, or is another pod by now, which the next look finds.
    if (error.status === 404 || error.status === 409) return true;
    throw error;
  }
}

/** policy/v1 from Kubernetes 1.22 on, policy/v1beta1 before; the API server says which. */
async function evictionVersion(kube: KubeClient, signal: AbortSignal): Promise<string> {
  const resources = asArray(asRecord(await kube.get('/api/v1', signal))['resources']).map(asRecord);
  const eviction = resources.find(({ name }) => name === 'pods/eviction');
  return `policy/${asString(eviction?.['version']) ?? 'v1'}`;
}

const stillThere = (node: string, pods: readonly DrainedPod[], timeoutMs: number): ActionableError =>
  new ActionableError({
    what: `drain the node ${node}`,
    why: `after ${Math.round(timeoutMs / 1000)} s ${pods.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')} ${pods.length === 1 ? 'is' : 'are'} still there`,
    next: 'see their PodDisruptionBudgets: `kubectl get poddisruptionbudgets -A`',
  });
