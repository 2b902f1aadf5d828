/**
 * Facts that exist only on the node itself. A plan's strings name a fact as `@{address}`;
 * `@@{` stands for a literal `@{`.
 */
export interface Facts {
  /** The cloud's id of this instance. */
  readonly instanceId: string;
  /** The Kubernetes node name. */
  readonly nodeName: string;
  /** Primary internal address: of IPv4, or of IPv6 in a cluster that has only IPv6. */
  readonly address: string;
  readonly zone: string;
  /** The file that lists the name servers as pods can reach them too: what kubelet gives to pods that use the machine's DNS. */
  readonly resolvConf?: string;
  /** How many pods this machine has addresses for; only where pods have addresses of the machines' network. */
  readonly podLimit?: string;
  /** The name of its first network interface; only where pods have addresses of the other interfaces. */
  readonly primaryInterface?: string;
  /** The load balancer in front of the API, by its name or its addresses; only where the machine was told it. */
  readonly apiLoadBalancer?: string;
  /** The CA certificates that sign those of node authorities: base64 of PEM. Only where the machine was told them. */
  readonly authorityCa?: string;
}

/** The facts that every machine knows. */
export const MACHINE_FACTS = ['instanceId', 'nodeName', 'address', 'zone'] as const satisfies readonly (keyof Facts)[];
export const FACT_NAMES = [
  ...MACHINE_FACTS,
  'resolvConf',
  'podLimit',
  'primaryInterface',
  'apiLoadBalancer',
  'authorityCa',
] as const satisfies readonly (keyof Facts)[];
