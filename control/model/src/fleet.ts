import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import type { TaskResult } from '@kopsctl/tasks/run-result.ts';

/** A machine as its cloud runs it. */
export interface FleetMachine {
  /** Differs from that of every earlier machine, even of one with the same name. */
  readonly id: string;
  /** What people and the cloud call it. */
  readonly name: string;
  /** Empty for bastions, which are not Nodes. */
  readonly nodeName: string;
  readonly instanceGroup: string;
  readonly role: NodeRole;
  readonly address: string;
  readonly running: boolean;
  /** /etc/machine-id, if the cloud knows it. */
  readonly machineId?: string;
  /** When it was made, in ms since 1970, if the cloud knows. */
  readonly launchedMs?: number;
  /** A machine that its group got now would be made from the same image, user-data and hardware. */
  readonly isCurrent: boolean;
  /** `detached`: it serves, but its group no longer counts it. `warm`: it waits, switched off, to be needed. */
  readonly standing: 'counted' | 'detached' | 'warm';
}

/** An instance group as its cloud runs it. */
export interface FleetGroup {
  readonly name: string;
  readonly role: NodeRole;
  /** How many machines it should have. */
  readonly wanted: number;
  readonly machines: readonly FleetMachine[];
  /** The machines that it should have and does not, where kopsctl makes them. */
  readonly missing?: readonly Pick<FleetMachine, 'name' | 'nodeName'>[];
}

/**
 * The machines of a cluster, and how they are replaced. Every change may be repeated: what is done already is not an error,
 * and neither is a machine that is gone.
 */
export interface Fleet {
  groups(signal: AbortSignal): Promise<readonly FleetGroup[]>;
  /**
   * The names of the instance groups whose next machines are made from something else once a plan is applied: then no machine of
   * theirs is current. Absent where `isCurrent` compares machines with the tasks, applied or not.
   */
  readonly changedGroups?: (planned: readonly Pick<TaskResult, 'id' | 'steps'>[]) => ReadonlySet<string>;
  /** Takes a machine out of the load balancers that its group is behind. Resolves when they send it no connections any more. */
  deregister(machine: FleetMachine, signal: AbortSignal): Promise<void>;
  /** Puts it back: it is not replaced after all. */
  register(machine: FleetMachine, signal: AbortSignal): Promise<void>;
  /**
   * Takes a machine out of its group, which gets another one; it runs on. Absent where
   * the cloud has no groups that keep their size: there, no machine can be added while others are replaced.
   */
  detach?(machine: FleetMachine, signal: AbortSignal): Promise<void>;
  /** Absent where a machine is always what it was made from. */
  readonly inPlace?: InPlaceFleet;
  /**
   * The next machine gets the name of the one before it, and another range for its pods: a Node that is still there would keep
   * the former range, which never changes.
   */
  readonly reusesNames?: boolean;
  /** Ends a machine for good. Resolves when it is gone, or cannot run again. */
  delete(machine: FleetMachine, signal: AbortSignal): Promise<void>;
  /** Makes the machine of that name. Absent where the cloud makes a new machine once one is deleted. */
  make?(name: string, signal: AbortSignal): Promise<void>;
  /** Removes what was only for machines that are replaced now. Called when a roll is over; nothing depends on it. */
  tidy?(signal: AbortSignal): Promise<void>;
  /** Which groups and machines are kopsctl's in a cluster that kops made too. Absent where the cloud does not tell. */
  madeByKopsctl?(signal: AbortSignal): Promise<MadeByKopsctl>;
}

export interface MadeByKopsctl {
  /** The names of instance groups whose next machine would run kopsctl's agents. */
  readonly groups: readonly string[];
  /** The names of machines that run them. */
  readonly machines: readonly string[];
}

/** The plans that a machine goes from and to, by their hashes. */
export interface PlanChange {
  readonly from: string;
  readonly to: string;
}

/** Machines that become something other than what they were made from. */
export interface InPlaceFleet {
  /** Whether a machine would be current if it had been made from the one plan instead of the other. */
  isPossible(machine: FleetMachine, change: PlanChange, signal: AbortSignal): Promise<boolean>;
  /** Records that it has become what its group's machines are made from now, so that it is current. */
  note(machine: FleetMachine, change: PlanChange, signal: AbortSignal): Promise<void>;
}
