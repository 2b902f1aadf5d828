/** A node and its pod network. */
export interface NodeNetwork {
  readonly name: string;
  /** Undefined while it has none. Kubernetes does not allow it to change once it is set. */
  readonly podCIDR: string | undefined;
}

export interface Assignment {
  readonly node: string;
  readonly podCIDR: string;
}

/** Room for 254 pods, kube-controller-manager's default (--node-cidr-mask-size-ipv4). */
const NODE_PREFIX = 24;

/** A network that several nodes have: what is sent to the pods of one of them reaches another. */
export interface SharedNetwork {
  readonly podCIDR: string;
  /** In the order of their names. */
  readonly nodes: readonly string[];
}

export function findSharedNetworks(nodes: readonly NodeNetwork[]): readonly SharedNetwork[] {
  const holders = new Map<string, string[]>();
  for (const { name, podCIDR } of nodes) {
    if (podCIDR !== undefined) holders.set(podCIDR, [...(holders.get(podCIDR) ?? []), name]);
  }
  return [...holders]
    .filter(([, names]) => names.length > 1)
    .map(([podCIDR, names]) => ({ podCIDR, nodes: names.toSorted() }));
}

/**
 * Assigns each node without a pod network the lowest free one of the cluster's range, in the order of node names.
 * `isFull` is true when there were not enough for all.
 */
export function planPodNetworks(
  range: string,
  nodes: readonly NodeNetwork[],
): { readonly assignments: readonly Assignment[]; readonly isFull: boolean } {
  const { first, count } = networksIn(range);
  const taken = new Set(nodes.map(({ podCIDR }) => podCIDR));
  const waiting = nodes.filter(({ podCIDR }) => podCIDR === undefined).map(({ name }) => name);
  const assignments: Assignment[] = [];
  let index = 0;
  for (const node of waiting.toSorted()) {
    while (index < count && taken.has(networkAt(first, index))) index += 1;
    if (index === count) return { assignments, isFull: true };
    assignments.push({ node, podCIDR: networkAt(first, index) });
    index += 1;
  }
  return { assignments, isFull: false };
}

function networksIn(range: string): { readonly first: number; readonly count: number } {
  const [address = '', length = ''] = range.split('/');
  const prefix = Number(length);
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - prefix);
  return { first: number - (number % size), count: prefix > NODE_PREFIX ? 0 : 2 ** (NODE_PREFIX - prefix) };
}

function networkAt(first: number, index: number): string {
  const number = first + index * 2 ** (32 - NODE_PREFIX);
  const parts = [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256);
  return `${parts.join('.')}/${NODE_PREFIX}`;
}
