/** A node whose route a control plane has decided. */
export interface RoutedNode {
  readonly name: string;
  readonly address: string;
  readonly network: string;
}

export interface Route {
  readonly destination: string;
  readonly gateway: string;
}

export type RouteStep = Route & { readonly action: 'replace' | 'remove'; readonly summary: string };

/**
 * Plans the changes that give this machine a route to every other node's pods. `actual` holds only routes with our
 * protocol number, so a route that somebody else made is never removed.
 */
export function planRoutes(
  ownName: string,
  nodes: readonly RoutedNode[],
  actual: readonly Route[],
): readonly RouteStep[] {
  const wanted = new Map<string, string>();
  for (const node of [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (node.name !== ownName) wanted.set(node.network, node.address);
  }
  const there = new Map(actual.map(({ destination, gateway }) => [destination, gateway]));
  const replace = [...wanted]
    .filter(([destination, gateway]) => there.get(destination) !== gateway)
    .map(([destination, gateway]) => step('replace', destination, gateway));
  const remove = actual
    .filter(({ destination }) => !wanted.has(destination))
    .map(({ destination, gateway }) => step('remove', destination, gateway));
  return [...remove, ...replace];
}

function step(action: RouteStep['action'], destination: string, gateway: string): RouteStep {
  return { action, destination, gateway, summary: `${action} route ${destination} via ${gateway}` };
}
