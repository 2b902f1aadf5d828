import type { Task } from '@kopsctl/tasks/task.ts';
import type { StorePlace } from './store-place.ts';
import { OTHER_PLANS, type PlanFolder, WORKER_PLANS } from './plan-hash.ts';

export type NodeRole = 'ControlPlane' | 'Node' | 'Bastion' | 'APIServer';

/**
 * Everything a node must be, decided on the control side. Stored content-addressed at
 * `<cluster>/node-plans/<sha256>.json`, that of a worker in `worker-plans`; the user-data pins the hash. A plan holds no secret,
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
  /** Nodes are named after their machines' addresses: the spec or the version of Kubernetes wants it. */
  readonly namesFromAddresses?: true;
  /** Machines are known by their IPv6 addresses (spec.nonMasqueradeCIDR: ::/0). */
  readonly isIpv6Only?: true;
  /**
   * The states of the keysets that its machines use, by name, for which the plan was made: a machine with another one
   * has not seen the newest key pairs. Keysets that are as they were created are left out.
   */
  readonly keysets?: Readonly<Record<string, string>>;
  /** Machines of its group may be prepared for later. While one is, kubelet does not run. */
  readonly hasWarmPool?: true;
  /** What is notified once all tasks are done. */
  readonly launchHook?: LaunchHook;
  readonly tasks: readonly Task[];
}

/** The hook by which a group of machines in a cloud waits for a new one to be prepared; after a while it ends the machine. */
export interface LaunchHook {
  readonly group: string;
  readonly hook: string;
}

/** How a machine that has no right in the store waits for its plan. */
export interface PlanThroughAuthority {
  /** The port on which authorities call. */
  readonly port: number;
  /** The file of the key that this machine proves its identity with. */
  readonly machineKey: string;
}

/** What the user-data writes to /etc/kops/boot.json: where the plan is, and nothing secret. */
export interface BootConfig {
  readonly cloud: string;
  readonly stateStore: string;
  readonly storePlaces?: readonly StorePlace[];
  readonly cluster: string;
  readonly instanceGroup: string;
  /** The folder of the plan, in the cluster's folder of the store. */
  readonly planFolder: PlanFolder;
  /** Hex SHA-256 of the plan's bytes. */
  readonly planHash: string;
  /** The load balancer in front of the API, by its name or its addresses (`ProtokubeConfig`), where nothing else leads machines to it. */
  readonly apiLoadBalancer?: string;
  /** The plan is not read from the store, but given by an authority that calls this machine. */
  readonly planThroughAuthority?: PlanThroughAuthority;
  /** The certificates by which this machine recognises node authorities (base64 of PEM); not on control planes. */
  readonly authorityCa?: string;
}

/** The folder of the plans of this role: those of workers are separate from all others. */
export const planFolderOf = (role: NodeRole): PlanFolder => (role === 'Node' ? WORKER_PLANS : OTHER_PLANS);
