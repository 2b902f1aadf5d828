import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { Discovery } from '@kopsctl/kube/discovery.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import { nodesToDelete, type ObservedPolicy, planPolicy, type RevokedNode } from './plan-revocation.ts';
import { BINDING_PATH, POLICY_PATH, revocationBinding, revocationPolicy } from './revocation-policy.ts';
import { revokedMarks } from './revoked-marks.ts';

/** How soon a mark of `kopsctl toolbox revoke` is seen. Each look lists the nodes' folder of the state store. */
const LOOK_AGAIN_MS = 15_000;
/** Nodes change all the time, and each change wakes the loop: it does not look at the store more often than this. */
const LOOK_PAUSE_MS = 10_000;

export interface RevocationEnv {
  readonly cluster: string;
  readonly store: StateStore;
  readonly kube: KubeClient;
  readonly leadership: Leadership;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** While this machine leads, keeps revoked machines from having a Node, and from writing to the API. */
export async function reconcileRevocation(env: RevocationEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  const marks = revokedMarks(env.cluster, env.store, env.log);
  const discovery = new Discovery(env.kube);
  let looked: { readonly atMs: number; readonly revoked: readonly RevokedNode[] } | undefined;
  const look = async (term: AbortSignal): Promise<readonly RevokedNode[]> => {
    const atMs = env.nowMs();
    if (looked !== undefined && atMs - looked.atMs < LOOK_PAUSE_MS) return looked.revoked;
    const revoked = await marks.read(term);
    await keepPolicy(revoked, discovery, env, term);
    looked = { atMs, revoked };
    return revoked;
  };
  const act = async (nodes: readonly string[], inner: AbortSignal): Promise<void> => {
    await env.leadership.whileLeading(inner, async (term) => {
      // The look applies the policy, which keeps a deleted Node from being registered again.
      for (const node of nodesToDelete(await look(term), nodes)) {
        await env.kube.remove(`/api/v1/nodes/${node}`, term);
        env.log.warn('node of a revoked machine deleted', { node });
      }
    });
  };
  await actOnObjects(env.kube, { path: '/api/v1/nodes', parse: nameOf, wake, lookAgainMs: LOOK_AGAIN_MS, act }, signal);
}

const nameOf = (object: unknown): string | undefined => asString(asRecord(asRecord(object)['metadata'])['name']);

async function keepPolicy(
  revoked: readonly RevokedNode[],
  discovery: Discovery,
  { kube, nowMs, log }: RevocationEnv,
  signal: AbortSignal,
): Promise<void> {
  const kind = { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy' };
  // Kubernetes before 1.30 has none in this version of the API.
  if ((await discovery.collectionOf(kind, signal)) === undefined) return;
  const step = planPolicy(revoked, await observePolicy(kube, signal), nowMs());
  switch (step.action) {
    case 'none':
      return;
    case 'deny':
      await kube.apply(POLICY_PATH, revocationPolicy(step.nodes), signal);
      await kube.apply(BINDING_PATH, revocationBinding(), signal);
      log.warn('writes of revoked nodes denied', { nodes: step.nodes.join(', ') });
      return;
    case 'remove':
      await kube.remove(BINDING_PATH, signal);
      await kube.remove(POLICY_PATH, signal);
      log.info('no certificate of a revoked node can be valid any more');
      return;
  }
}

async function observePolicy(kube: KubeClient, signal: AbortSignal): Promise<ObservedPolicy> {
  const [policy, binding] = await Promise.all([kube.get(POLICY_PATH, signal), kube.get(BINDING_PATH, signal)]);
  const [condition] = asArray(asRecord(asRecord(policy)['spec'])['matchConditions']);
  return { condition: asString(asRecord(condition)['expression']), isBound: binding !== undefined };
}
