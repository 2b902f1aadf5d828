import type { Facts } from '@kopsctl/node-plan/facts.ts';
import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';

/** What an agent may ask the cloud about itself and its cluster. One implementation per cloud. */
export interface NodeCloud {
  facts(signal: AbortSignal): Promise<Facts>;
  /** How many pods this machine's network interfaces have addresses for; absent in clouds without such a limit. */
  readonly podLimit?: (signal: AbortSignal) => Promise<number>;
  /** The name of this machine's first network interface; absent in clouds that attach no other interfaces to it. */
  readonly primaryInterface?: (signal: AbortSignal) => Promise<string>;
  /** Control plane only: where pods have IPv6 addresses of the machines' network; absent where they never have. */
  readonly podRanges?: PodRanges;
  /** The number or name of the account that this machine belongs to; absent where a cloud has none. */
  readonly account?: (signal: AbortSignal) => Promise<string>;
  /** This cluster's machines. Resolves at once without `after`, else when something newer than that revision exists. */
  machines(after: string | undefined, signal: AbortSignal): Promise<Observed<CloudMachine>>;
  /** This cluster's volumes (control plane, and API servers that look for etcd), with the same waiting rule. */
  volumes(after: string | undefined, signal: AbortSignal): Promise<Observed<CloudVolume>>;
  /** Attaches a volume to this machine and says which device it is. Refused while another machine holds it. */
  attachVolume(volumeId: string, signal: AbortSignal): Promise<{ readonly device: string }>;
  /** Takes a volume from this machine, which has unmounted it. One that this machine does not hold stays as it is. */
  detachVolume(volumeId: string, signal: AbortSignal): Promise<void>;
}

/** Ranges of the machines' own network, of which the cloud sends each machine what goes to its pods. */
export interface PodRanges {
  /** The ranges of these machines, by instance. A machine that has none may be absent. */
  list(instanceIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Gives a machine a range, unless it has one. */
  assign(instanceId: string, signal: AbortSignal): Promise<string>;
}

export interface Observed<T> {
  readonly revision: string;
  readonly items: readonly T[];
}

export interface CloudMachine {
  readonly instanceId: string;
  readonly nodeName: string;
  /** The one by which other machines of the cluster know it: of IPv6 in a cluster that has only IPv6. */
  readonly address: string;
  /** The addresses by which it is reached from outside its own network; for IPv6 there is no difference. */
  readonly externalAddresses: readonly string[];
  readonly role: NodeRole;
  readonly instanceGroup: string;
  readonly running: boolean;
  /** When it was created, in milliseconds since 1970; absent where the cloud does not say. */
  readonly launchedMs?: number;
  /** When it was last started, where the cloud says that separately: one of a warm pool is started long after it was created. */
  readonly startedMs?: number;
}

export interface CloudVolume {
  readonly id: string;
  readonly name: string;
  readonly sizeGiB: number;
  readonly zone: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The instance that holds it and that instance's address ('' where it is not one of the cluster's); absent while free. */
  readonly attachedTo?: { readonly instanceId: string; readonly address: string; readonly device: string };
}
