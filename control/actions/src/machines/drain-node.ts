import { pause } from '@kopsctl/agent/pause.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { KubeError, type KubeClient } from '@kopsctl/kube/client.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import { listObjects } from '@kopsctl/kube/list-objects.ts';
import { type LeavingPod, podsToLeave } from './plan-drain.ts';
import { isTakenElsewhere } from './taken-elsewhere.ts';

export interface Draining {
  readonly kube: Pick<KubeClient, 'get' | 'create'>;
  readonly node: string;
  /** When the first attempt began: one that is repeated has the rest of the time. */
  readonly begunMs: number;
  readonly timeoutMs: number;
  /** How long until the next look at which pods are left. */
  readonly lookAgainMs: number;
  readonly nowMs: () => number;
  /** Called with the reason why a pod may not be evicted yet, once for each reason. */
  readonly onHeldBack: (pod: string, why: string) => void;
  /** Called with how many of the pods have left, whenever that changes, and at the end. */
  readonly onLeft?: ((left: number, all: number) => void) | undefined;
}

/** An eviction that a disruption budget forbids, unless the server says how long to wait. */
const TRY_AGAIN_MS = 1_000;

/**
 * Evicts the pods of a machine and waits until they have left it. Disruption budgets decide when each may go, unless no
 * other machine takes such a pod: its budget would wait without end for another one, and it goes with the machine. It may be
 * repeated at any time. Only the pods that were there in the beginning have to leave: those that tolerate everything, as addons on
 * control planes do, are made again on the same machine, cordoned or not (kubectl drain lists the pods once as well).
 *
 * @throws ActionableError where pods are left when the time is over
 */
export async function drainNode(
  { kube, node, begunMs, timeoutMs, lookAgainMs, nowMs, onHeldBack, onLeft }: Draining,
  signal: AbortSignal,
): Promise<void> {
  const deadlineMs = begunMs + timeoutMs;
  const apiVersion = await evictionVersion(kube, signal);
  const notBeforeMs = new Map<string, number>();
  const refusals = new Map<string, string>();
  let left = await podsOf(kube, node, nowMs(), signal);
  const inTheBeginning = new Set(left.map(({ uid }) => uid));
  let told: number | undefined;
  for (;;) {
    const gone = inTheBeginning.size - left.length;
    if (gone !== told) onLeft?.(gone, inTheBeginning.size);
    told = gone;
    if (left.length === 0) return;
    if (nowMs() >= deadlineMs) throw notDrained(node, timeoutMs, left, refusals);
    const due = left.filter(({ uid, isEnding }) => !isEnding && (notBeforeMs.get(uid) ?? 0) <= nowMs());
    await Promise.all(
      due.map(async (pod) => {
        const refused = await evict(kube, apiVersion, pod, signal);
        if (refused === undefined) return;
        notBeforeMs.set(pod.uid, nowMs() + (refused.retryAfterMs ?? TRY_AGAIN_MS));
        if (refusals.get(pod.uid) !== refused.why) onHeldBack(`${pod.namespace}/${pod.name}`, refused.why);
        refusals.set(pod.uid, refused.why);
      }),
    );
    await pause(lookAgainMs, signal);
    left = (await podsOf(kube, node, nowMs(), signal)).filter(({ uid }) => inTheBeginning.has(uid));
    if (
      left.length > 0 &&
      left.every(({ uid }) => refusals.has(uid)) &&
      (await haveNoOther(kube, node, left, signal))
    ) {
      for (const { namespace, name } of left)
        onHeldBack(`${namespace}/${name}`, 'no other machine can run it, so it ends with this one');
      return;
    }
  }
}

async function haveNoOther(kube: Draining['kube'], node: string, pods: readonly LeavingPod[], signal: AbortSignal) {
  const nodes: unknown[] = [];
  await listObjects(kube, '/api/v1/nodes', signal, (one) => nodes.push(one));
  return pods.every(({ tolerations }) => !isTakenElsewhere(tolerations, nodes, node));
}

async function podsOf(kube: Draining['kube'], node: string, nowMs: number, signal: AbortSignal) {
  const pods: unknown[] = [];
  const selector = encodeURIComponent(`spec.nodeName=${node}`);
  await listObjects(kube, `/api/v1/pods?fieldSelector=${selector}`, signal, (pod) => pods.push(pod));
  return podsToLeave(pods, nowMs);
}

/** Undefined where the pod goes. @throws what is not a disruption budget's refusal */
async function evict(
  kube: Draining['kube'],
  apiVersion: string,
  { namespace, name, uid }: LeavingPod,
  signal: AbortSignal,
): Promise<{ readonly why: string; readonly retryAfterMs?: number | undefined } | undefined> {
  const eviction = {
    apiVersion,
    kind: 'Eviction',
    metadata: { name, namespace },
    // Not the next pod of that name.
    deleteOptions: { preconditions: { uid } },
  };
  try {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`;
    await kube.create(path, eviction, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    // 404: it is gone; 409: another pod has the name.
    if (error.status === 404 || error.status === 409) return undefined;
    if (error.status === 429) return { why: messageOf(error), retryAfterMs: error.retryAfterMs };
    throw error;
  }
}

/** policy/v1 from Kubernetes 1.22 on, policy/v1beta1 before; the API server says which. */
async function evictionVersion(kube: Draining['kube'], signal: AbortSignal): Promise<string> {
  const resources = asArray(asRecord(await kube.get('/api/v1', signal))['resources']).map(asRecord);
  const eviction = resources.find(({ name }) => name === 'pods/eviction');
  return `policy/${asString(eviction?.['version']) ?? 'v1'}`;
}

function notDrained(
  node: string,
  timeoutMs: number,
  left: readonly LeavingPod[],
  refusals: ReadonlyMap<string, string>,
): ActionableError {
  const [first] = left;
  const names = left.map(({ namespace, name }) => `${namespace}/${name}`).join(', ');
  const why = first === undefined ? undefined : refusals.get(first.uid);
  return new ActionableError({
    what: `drain the node ${node}`,
    why: `after ${Math.round(timeoutMs / 1000)} s ${names} ${left.length === 1 ? 'is' : 'are'} still there${why === undefined ? '' : ` (${why})`}`,
    next: 'check the PodDisruptionBudgets with `kubectl get pdb -A`; use --drain-timeout to wait longer, or --fail-on-drain-error=false to continue anyway',
  });
}
