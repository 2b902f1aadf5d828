/**
 * What exists nowhere but on the node itself. A plan's strings name a fact as `@{address}`;
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
}

export const FACT_NAMES = ['instanceId', 'nodeName', 'address', 'zone'] as const satisfies readonly (keyof Facts)[];
