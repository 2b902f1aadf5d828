import type { Task } from '@kopsctl/tasks/task.ts';

export type NodeRole = 'ControlPlane' | 'Node' | 'Bastion' | 'APIServer';

/**
 * Everything a node must be, decided on the control side. Stored content-addressed at
 * `<cluster>/node-plans/<sha256>.json`; the user-data pins the hash. A plan holds no secret,
 * only references to keysets and secrets by name. Strings in task props may hold fact tokens
 * (see facts.ts), the only thing a node fills in.
 */
export interface NodePlan {
  readonly apiVersion: 'kopsctl.io/v1';
  readonly kind: 'NodePlan';
  readonly cluster: string;
  readonly instanceGroup: string;
  readonly role: NodeRole;
  readonly kubernetesVersion: string;
  readonly tasks: readonly Task[];
}

/** What the user-data writes to /etc/kops/boot.json: where the plan is, and nothing secret. */
export interface BootConfig {
  readonly cloud: string;
  readonly stateStore: string;
  readonly cluster: string;
  readonly instanceGroup: string;
  /** Hex SHA-256 of the plan's bytes. */
  readonly planHash: string;
  /** The name of the load balancer before the API, where nothing else leads machines to it. */
  readonly apiLoadBalancer?: string;
}
