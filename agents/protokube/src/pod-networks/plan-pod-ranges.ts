import type { NetworkPatch, RefusedNetwork } from './plan-pod-networks.ts';

/** A node, and the range that it has for its pods; undefined while it has none. */
export interface NodeRange {
  readonly name: string;
  readonly podCIDR: string | undefined;
}

export interface PodRangesPlan {
  readonly patches: readonly NetworkPatch[];
  readonly refused: readonly RefusedNetwork[];
}

/**
 * Gives each node without a range the one that the cloud has for pods on its machine. Kubernetes lets a kubelet set the range of
 * its Node; one that is not its machine's is refused, since the cloud sends what goes there to another machine, or nowhere. Pure.
 *
 * @param ranges those of the cloud's machines by name of the node; a node that is not among them is left alone
 */
export function planPodRanges(
  nodes: readonly NodeRange[],
  ranges: ReadonlyMap<string, readonly string[]>,
): PodRangesPlan {
  const known = nodes.flatMap((node) => {
    const own = ranges.get(node.name);
    return own === undefined || own[0] === undefined ? [] : [{ ...node, own, first: own[0] }];
  });
  return {
    patches: known
      .filter(({ podCIDR }) => podCIDR === undefined)
      .map(({ name, first }) => ({
        node: name,
        summary: `${name}: assign ${first}`,
        patch: { spec: { podCIDR: first, podCIDRs: [first] } },
      })),
    refused: known.flatMap(({ name, podCIDR, own }) =>
      podCIDR === undefined || own.includes(podCIDR)
        ? []
        : [{ node: name, podCIDR, why: `the cloud has ${own.join(', ')} for pods on this machine` }],
    ),
  };
}
