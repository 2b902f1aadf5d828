import { ADDRESS_LABEL, NETWORK_LABEL, networkLabel } from './route-labels.ts';

/** A node, its pod network, and what a control plane has decided about its route. */
export interface NodeNetwork {
  readonly name: string;
  /** Set by the API server. */
  readonly createdMs: number;
  /** Undefined while it has none. Kubernetes does not allow it to change once it is set, but lets a kubelet set it. */
  readonly podCIDR: string | undefined;
  /** The value of NETWORK_LABEL. */
  readonly network: string | undefined;
  /** The value of ADDRESS_LABEL. */
  readonly address: string | undefined;
}

export interface NetworkPatch {
  readonly node: string;
  readonly summary: string;
  /** A merge patch (RFC 7386) of the Node. */
  readonly patch: unknown;
}

/** A network that a node must not have: nothing is sent to its pods. */
export interface RefusedNetwork {
  readonly node: string;
  readonly podCIDR: string;
  readonly why: string;
}

export interface PodNetworksPlan {
  readonly patches: readonly NetworkPatch[];
  readonly refused: readonly RefusedNetwork[];
  /** Whether there were not enough networks for all. */
  readonly isFull: boolean;
}

/** Room for 254 pods, kube-controller-manager's default (--node-cidr-mask-size-ipv4). */
const NODE_PREFIX = 24;

/**
 * Gives each node without a pod network the lowest free one of the cluster's range, in the order of node names, and each
 * node the address of its machine. A network that a node has set itself counts if it is one of the range and no other
 * node has it; of several, the node that was created first keeps it. The same holds of several nodes for which a network
 * was decided, which two leaders or a person may have done. Pure.
 *
 * @param machines the addresses of the cloud's machines by name of the node
 */
export function planPodNetworks(
  range: string,
  nodes: readonly NodeNetwork[],
  machines: ReadonlyMap<string, string>,
): PodNetworksPlan {
  const holders = new Map<string, string>();
  const refused: RefusedNetwork[] = [];
  const [kept, confirmed]: [NodeNetwork[], NodeNetwork[]] = [[], []];
  const isEarlier = (one: NodeNetwork, other: NodeNetwork): number =>
    Number(isDecided(other)) - Number(isDecided(one)) ||
    one.createdMs - other.createdMs ||
    (one.name < other.name ? -1 : 1);
  for (const node of nodes.filter(({ podCIDR }) => podCIDR !== undefined).toSorted(isEarlier)) {
    const { name, podCIDR = '' } = node;
    const holder = holders.get(podCIDR);
    if (!isDecided(node) && !isNetworkOf(range, podCIDR)) {
      refused.push({ node: name, podCIDR, why: `it is not a /${NODE_PREFIX} of ${range}` });
    } else if (holder !== undefined) {
      refused.push({ node: name, podCIDR, why: `${holder} has it` });
    } else {
      holders.set(podCIDR, name);
      (isDecided(node) ? kept : confirmed).push(node);
    }
  }
  const waiting = nodes.filter(({ podCIDR }) => podCIDR === undefined).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const free = freeNetworks(range, new Set(holders.keys()), waiting.length);
  const assigned = waiting.slice(0, free.length).map((node, index) => assign(node, free[index] ?? '', machines));
  return {
    patches: [
      ...kept.flatMap((node) => address(node, machines.get(node.name))),
      ...confirmed.map((node) => confirm(node, machines)),
      ...assigned,
      ...nodes
        .filter(({ name }) => refused.some((one) => one.node === name))
        .flatMap((node) => address(node, undefined)),
    ],
    refused,
    isFull: free.length < waiting.length,
  };
}

const isDecided = ({ podCIDR, network }: NodeNetwork): boolean =>
  podCIDR !== undefined && network === networkLabel(podCIDR);

function assign({ name }: NodeNetwork, podCIDR: string, machines: ReadonlyMap<string, string>): NetworkPatch {
  const spec = { podCIDR, podCIDRs: [podCIDR] };
  return { node: name, ...decided(name, 'assign', podCIDR, machines.get(name), { spec }) };
}

function confirm({ name, podCIDR = '' }: NodeNetwork, machines: ReadonlyMap<string, string>): NetworkPatch {
  return { node: name, ...decided(name, 'confirm', podCIDR, machines.get(name)) };
}

function decided(name: string, verb: string, podCIDR: string, machine: string | undefined, more: object = {}) {
  const labels = { [NETWORK_LABEL]: networkLabel(podCIDR), [ADDRESS_LABEL]: machine ?? null };
  const route = machine === undefined ? '' : `, routed by ${machine}`;
  return { summary: `${name}: ${verb} ${podCIDR}${route}`, patch: { metadata: { labels }, ...more } };
}

function address(node: NodeNetwork, machine: string | undefined): readonly NetworkPatch[] {
  if (node.address === machine) return [];
  const patch = { metadata: { labels: { [ADDRESS_LABEL]: machine ?? null } } };
  return [{ node: node.name, summary: `${node.name}: routed by ${machine ?? 'none'}`, patch }];
}

function freeNetworks(range: string, taken: ReadonlySet<string>, count: number): readonly string[] {
  const { first, count: all } = networksIn(range);
  const free: string[] = [];
  for (let index = 0; index < all && free.length < count; index += 1) {
    const network = networkAt(first, index);
    if (!taken.has(network)) free.push(network);
  }
  return free;
}

function isNetworkOf(range: string, podCIDR: string): boolean {
  const { first, count } = networksIn(range);
  const index = (numberOf(podCIDR.split('/')[0] ?? '') - first) / 2 ** (32 - NODE_PREFIX);
  // The text must be the one that is assigned, so that one network has one notation.
  return index >= 0 && index < count && podCIDR === networkAt(first, Math.floor(index));
}

function networksIn(range: string): { readonly first: number; readonly count: number } {
  const [written = '', length = ''] = range.split('/');
  const prefix = Number(length);
  const number = numberOf(written);
  const size = 2 ** (32 - prefix);
  return { first: number - (number % size), count: prefix > NODE_PREFIX ? 0 : 2 ** (NODE_PREFIX - prefix) };
}

function numberOf(ipv4: string): number {
  return ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function networkAt(first: number, index: number): string {
  const number = first + index * 2 ** (32 - NODE_PREFIX);
  const parts = [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256);
  return `${parts.join('.')}/${NODE_PREFIX}`;
}
