/** What a list of Compute Engine says about a resource, as far as it shows which cluster the resource belongs to. */
export interface Listed {
  /** `projects/acme/global/routes/a` */
  readonly path: string;
  readonly name: string;
  /** The path of its network, where it has one. */
  readonly network?: string;
  /** The paths of what it refers to: machines, groups, checks, backends. */
  readonly uses: readonly string[];
  /** The tags of the machines that a firewall rule is for. */
  readonly tags?: readonly string[];
  readonly description?: string;
  /** Whether the resource that it leads to is gone. */
  readonly isDangling?: boolean;
}

/** What the cloud controller of a cluster makes: routes to the pods of nodes, and load balancers of Services. */
export interface Leftovers {
  readonly routes: readonly Listed[];
  readonly firewalls: readonly Listed[];
  readonly addresses: readonly Listed[];
  readonly instanceGroups: readonly Listed[];
  readonly healthChecks: readonly Listed[];
  /** Target pools and backend services. */
  readonly backends: readonly Listed[];
  readonly forwardingRules: readonly Listed[];
}

/** How a cluster is known in its project. */
export interface Claimant {
  /** The label of its machines. */
  readonly label: string;
  /** The tag of its nodes, which no other cluster's nodes have. */
  readonly nodeTag: string;
  readonly network: string;
  /** Whether the cluster has made the network, so that everything in the network is its own. */
  readonly ownsNetwork: boolean;
  /** The paths of its machines. */
  readonly machines: ReadonlySet<string>;
}

/** The name of a load balancer, made of the UID of its Service (cloud-provider DefaultLoadBalancerName). */
const BALANCER = /a[0-9a-f]{31}/;
/** Every name that the controller gives (cloud-provider-gcp providers/gce/gce_loadbalancer_naming.go). */
const OF_CONTROLLER = /^(k8s-.+|a[0-9a-f]{31}(-hc)?)$/;
const ROUTE = 'k8s-node-route';
/** The controller cuts the name of the cluster in names of routes (gce_util.go truncateClusterName). */
const LONGEST_IN_ROUTE = 26;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Selects the resources that the controller of this cluster has made. Names alone do not show it: they are made of UIDs.
 * Machines, their tag and the network do, and so does being used by a resource of the cluster. Names of firewall rules
 * contain those of their balancers, so that balancers can still be recognised once the machines are gone; therefore rules are
 * deleted last.
 */
export function claimLeftovers(all: Leftovers, own: Claimant): Leftovers {
  const isInOwnNetwork = ({ network }: Listed): boolean => own.ownsNetwork && network === own.network;
  const firewalls = all.firewalls.filter(
    (rule) => OF_CONTROLLER.test(rule.name) && (isInOwnNetwork(rule) || isFor(rule.tags, own.nodeTag)),
  );
  const named = new Set(firewalls.flatMap(({ name }) => [BALANCER.exec(name)?.[0] ?? [], checkOf(name) ?? []].flat()));
  const claims = (one: Listed, users: readonly Listed[]): boolean =>
    OF_CONTROLLER.test(one.name) &&
    (named.has(one.name) || isInOwnNetwork(one) || users.some(({ uses }) => uses.includes(one.path)));
  const pools = all.backends.filter(({ uses }) => uses.some((machine) => own.machines.has(machine)));
  const forwardingRules = all.forwardingRules.filter(
    (one) => claims(one, []) || (OF_CONTROLLER.test(one.name) && pools.some(({ path }) => one.uses.includes(path))),
  );
  const backends = all.backends.filter(
    (one) => claims(one, forwardingRules) || (OF_CONTROLLER.test(one.name) && pools.includes(one)),
  );
  return {
    routes: all.routes.filter((route) => isRouteOf(route, own)),
    firewalls,
    addresses: all.addresses.filter(
      ({ name }) =>
        BALANCER.exec(name)?.[0] === name && [...forwardingRules, ...backends].some((one) => one.name === name),
    ),
    instanceGroups: all.instanceGroups.filter((one) => claims(one, backends)),
    healthChecks: all.healthChecks.filter((one) => claims(one, backends)),
    backends,
    forwardingRules,
  };
}

const isFor = (tags: readonly string[] = [], nodeTag: string): boolean =>
  tags.length > 0 && tags.every((tag) => tag === nodeTag);

/** The check that all balancers of a cluster share, by the name of the rule that lets it in. */
const checkOf = (rule: string): string | undefined => /^(k8s-[0-9a-f]+-node)(-http)?-hc$/.exec(rule)?.[1];

/** In a network of others, the name may also be that of another cluster: then the machine of the route decides. */
function isRouteOf({ name, description, network, uses, isDangling = false }: Listed, own: Claimant): boolean {
  if (description !== ROUTE || network !== own.network) return false;
  if (own.ownsNetwork) return true;
  const prefix = `${own.label.slice(0, LONGEST_IN_ROUTE)}-`;
  if (!name.startsWith(prefix) || !UUID.test(name.slice(prefix.length))) return false;
  return uses.some((machine) => own.machines.has(machine)) || (isDangling && own.label.length <= LONGEST_IN_ROUTE);
}
