import type { NodeRole } from '@kopsctl/node-plan/node-plan.ts';
import { CLUSTER_GROUP_PREFIX } from '../nspawn/cgroups.ts';

/** Inotify instances of root. All machines run in the host's user namespace, so they share root's one limit. */
export interface InotifyUse {
  /** The sysctl fs.inotify.max_user_instances. */
  readonly limit: number;
  /** Instances in use by each machine of the cluster, by the machine's name. */
  readonly machines: ReadonlyMap<string, number>;
  /** Instances in use by everything else, machines of other clusters included. */
  readonly others: number;
}

/** Machines that are to run, by name. */
export type WantedMachines = ReadonlyMap<string, NodeRole>;

/**
 * Counted at rest with Kubernetes 1.36: a worker uses 17 instances, a control plane up to 28. Eight more leave room for
 * a boot and for pods: on cgroup v2, containerd opens one for each container.
 */
const PER_NODE = 17 + 8;
const PER_CONTROL_PLANE = 28 + 8;

const PER_MACHINE: Readonly<Record<NodeRole, number>> = {
  ControlPlane: PER_CONTROL_PLANE,
  APIServer: PER_CONTROL_PLANE,
  Node: PER_NODE,
  Bastion: PER_NODE,
};

/** How many instances the host must allow so that the wanted machines can run beside what runs already. */
export function neededInotifyInstances(use: InotifyUse, wanted: WantedMachines): number {
  const names = new Set([...use.machines.keys(), ...wanted.keys()]);
  return [...names].reduce((sum, name) => {
    const role = wanted.get(name);
    // A machine that boots uses fewer instances than it will need.
    return sum + Math.max(use.machines.get(name) ?? 0, role === undefined ? 0 : PER_MACHINE[role]);
  }, use.others);
}

/** An unused instance costs nothing, and with room to spare the limit is raised only once. */
const RAISED_LIMIT = 1024;

/** What to raise a limit to that is too low. */
export const raisedInotifyLimit = (needed: number): number => Math.max(needed, RAISED_LIMIT);

/** The machine of the cluster that a process belongs to, read from its /proc/<pid>/cgroup. */
export function machineOfProcess(procCgroup: string, cluster: string): string | undefined {
  for (const line of procCgroup.split('\n')) {
    const [, group, machine] = line.split(':').slice(2).join(':').split('/');
    if (group === `${CLUSTER_GROUP_PREFIX}${cluster}` && machine !== undefined) return machine.replace(/\.keeper$/, '');
  }
  return undefined;
}
