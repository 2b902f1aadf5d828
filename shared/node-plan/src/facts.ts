/**
 * Facts that exist only on the node itself. A plan's strings name a fact as `@{address}`;
 * `@@{` stands for a literal `@{`.
 */
export interface Facts {
  /** The cloud's id of this instance. */
  readonly instanceId: string;
  /** The Kubernetes node name. */
  readonly nodeName: string;
  /** Primary internal IPv4 address. */
  readonly address: string;
  readonly zone: string;
  /** The name of the load balancer before the API; only where the machine was told one. */
  readonly apiLoadBalancer?: string;
}

/** What every machine knows. */
export const MACHINE_FACTS = ['instanceId', 'nodeName', 'address', 'zone'] as const satisfies readonly (keyof Facts)[];
export const FACT_NAMES = [...MACHINE_FACTS, 'apiLoadBalancer'] as const satisfies readonly (keyof Facts)[];
