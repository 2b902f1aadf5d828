import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { asRecord, asString } from '@kopsctl/kube/json.ts';
import type { CloudMachine, PodRanges } from '@kopsctl/node-cloud/node-cloud.ts';
import type { Latest } from '@kopsctl/node-cloud/latest.ts';
import type { Leadership } from '../leader/reconcile-lease.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { KnownRanges, LOOK_AGAIN_MS } from './known-ranges.ts';
import { patchNodes } from './patch-nodes.ts';
import type { RefusedNetwork } from './plan-pod-networks.ts';
import { type NodeRange, planPodRanges } from './plan-pod-ranges.ts';
import { tellRefused } from './tell-refused.ts';

export interface PodRangesEnv {
  readonly kube: KubeClient;
  readonly machines: Latest<CloudMachine>;
  readonly ranges: PodRanges;
  readonly leadership: Leadership;
  readonly log: Log;
}

/**
 * While this machine leads, gives each new node the range that the cloud has for pods on its machine, which the cloud is asked
 * for where there is none. Networks that use no tunnel assign addresses of `spec.podCIDR` (kops does this in kops-controller).
 */
export async function reconcilePodRanges(env: PodRangesEnv, signal: AbortSignal): Promise<void> {
  using wake = new Wake();
  env.leadership.ringOnChange(wake);
  env.machines.ringOnChange(wake);
  const known = new KnownRanges(env.ranges);
  let said = '';
  const act = async (nodes: readonly NodeRange[], inner: AbortSignal): Promise<void> => {
    const decided = await env.leadership.whileLeading(inner, (term) => decide(nodes, known, env, term));
    if (decided === undefined) return;
    const { refused, failures } = decided;
    if (said !== (said = JSON.stringify(refused))) for (const one of refused) await tellRefused(one, env, inner);
    if (failures.length > 0) throw withoutRange(failures);
  };
  await actOnObjects(env.kube, { path: '/api/v1/nodes', parse, wake, lookAgainMs: LOOK_AGAIN_MS, act }, signal);
}

interface Decided {
  readonly refused: readonly RefusedNetwork[];
  /** For each node whose machine the cloud gives no range: why. */
  readonly failures: readonly string[];
}

async function decide(
  nodes: readonly NodeRange[],
  known: KnownRanges,
  env: PodRangesEnv,
  signal: AbortSignal,
): Promise<Decided> {
  const machines = new Map(env.machines.items?.map(({ nodeName, instanceId }) => [nodeName, instanceId]));
  const placed = nodes.flatMap((node) => {
    const instanceId = machines.get(node.name);
    return instanceId === undefined ? [] : [{ ...node, instanceId }];
  });
  await known.lookUp(
    placed.map(({ instanceId }) => instanceId),
    signal,
  );
  const failures: string[] = [];
  for (const { name, podCIDR, instanceId } of placed) {
    if (podCIDR !== undefined || known.of(instanceId).length > 0) continue;
    try {
      await known.assign(instanceId, signal);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${name}: ${messageOf(error)}`);
    }
  }
  const ranges = new Map(placed.map(({ name, instanceId }) => [name, known.of(instanceId)]));
  const { patches, refused } = planPodRanges(nodes, ranges);
  await patchNodes(patches, 'range of pods decided', env, signal);
  return { refused, failures };
}

const withoutRange = (failures: readonly string[]): ActionableError =>
  new ActionableError({
    what: 'give every node a range for its pods',
    why: failures.join('; '),
    next: 'no pod with a network of its own starts there. Check what control planes may do in the cloud (`kopsctl update cluster --yes` renews it), and the machine type',
  });

function parse(object: unknown): NodeRange | undefined {
  const { metadata, spec } = asRecord(object);
  const { name } = asRecord(metadata);
  return typeof name === 'string' ? { name, podCIDR: asString(asRecord(spec)['podCIDR']) } : undefined;
}
