import { execa } from 'execa';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { asArray, asRecord, asString } from '@kopsctl/kube/json.ts';
import type { KubeClient } from '@kopsctl/kube/client.ts';
import { actOnObjects } from '@kopsctl/kube/act-on-objects.ts';
import type { Log } from '@kopsctl/agent/log.ts';
import { Wake } from '@kopsctl/agent/wake.ts';
import { ADDRESS_LABEL, addressOf, NETWORK_LABEL, networkOf } from '../pod-networks/route-labels.ts';
import { planRoutes, type Route, type RoutedNode } from './plan-routes.ts';

/** Marks the routes as ours (rtnetlink(7): 4 and above are free; 97 is not in iproute2's rt_protos). */
const PROTOCOL = '97';
/** Nodes are watched; this repairs a route that somebody removed by hand. */
const LOOK_AGAIN_MS = 60_000;

export interface RoutesEnv {
  readonly kube: KubeClient;
  /** iproute2's `ip` and its first arguments (tests pass a network namespace). */
  readonly ip: readonly [string, ...string[]];
  readonly log: Log;
}

/** Maintains a route to the pod network of each other node. */
export async function reconcileRoutes(ownName: string, env: RoutesEnv, signal: AbortSignal): Promise<void> {
  const act = async (nodes: readonly RoutedNode[], inner: AbortSignal): Promise<void> => {
    for (const step of planRoutes(ownName, nodes, await ownRoutes(env.ip, inner))) {
      env.log.info(step.action, { destination: step.destination, gateway: step.gateway });
      await change(env.ip, step.action, step, inner);
    }
  };
  const nodes = { path: '/api/v1/nodes', parse: parseNode, wake: new Wake(), lookAgainMs: LOOK_AGAIN_MS, act };
  await actOnObjects(env.kube, nodes, signal);
}

/** Reads what a control plane has decided, and nothing that a kubelet can write: neither its podCIDR nor its addresses. */
export function parseNode(object: unknown): RoutedNode | undefined {
  const { name, labels } = asRecord(asRecord(object)['metadata']);
  const all = asRecord(labels);
  const network = networkOf(asString(all[NETWORK_LABEL]));
  const address = addressOf(asString(all[ADDRESS_LABEL]));
  if (typeof name !== 'string' || network === undefined || address === undefined) return undefined;
  return { name, network, address };
}

async function ownRoutes([ip, ...first]: RoutesEnv['ip'], signal: AbortSignal): Promise<readonly Route[]> {
  const { stdout } = await execa(ip, [...first, '-j', 'route', 'show', 'proto', PROTOCOL], { cancelSignal: signal });
  return parseRoutes(stdout);
}

/** Parses the output of `ip -j route`. Without any route iproute2 prints nothing or `[]`. */
export function parseRoutes(json: string): readonly Route[] {
  return asArray(JSON.parse(json.trim() === '' ? '[]' : json)).flatMap((route) => {
    const { dst, gateway } = asRecord(route);
    return typeof dst === 'string' ? [{ destination: dst, gateway: asString(gateway) ?? '' }] : [];
  });
}

async function change(
  [ip, ...first]: RoutesEnv['ip'],
  action: 'replace' | 'remove',
  { destination, gateway }: Route,
  signal: AbortSignal,
): Promise<void> {
  const args =
    action === 'replace'
      ? ['route', 'replace', destination, 'via', gateway, 'proto', PROTOCOL]
      : ['route', 'del', destination, 'proto', PROTOCOL];
  const { exitCode, stderr } = await execa(ip, [...first, ...args], { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
  if (exitCode === 0 || (action === 'remove' && stderr.includes('No such process'))) return;
  throw new ActionableError({
    what: `${action} the route to ${destination}`,
    why: stderr.trim() || `ip ended with ${exitCode ?? 'no exit code'}`,
    next: `check that ${gateway} is directly reachable: \`ip route get ${gateway}\``,
  });
}
