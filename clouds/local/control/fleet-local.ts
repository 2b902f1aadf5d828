import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { Fleet, FleetGroup, FleetMachine } from '@kopsctl/model/fleet.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { machineHandler, machineSpec } from './handlers/machine.ts';
import { hashUserData } from './machines/seed.ts';
import type { MachineSpec } from './records/records.ts';
import type { LocalCloud } from './supervisor/client.ts';

/**
 * As clouds do, a machine is shut down before it goes: etcd hands over its leadership, and an API server answers what it was
 * asked. What containers would do for longer is thrown away with the machine.
 */
const END_WITHIN_MS = 3_000;

/**
 * The machines of a local cluster. A new machine has the name of the one that it replaces, another address and
 * /etc/machine-id, and finds the volumes of etcd, which outlive machines.
 */
export function localFleet(local: LocalCloud, tasks: () => Promise<readonly Task[]>): Fleet {
  let asked: Promise<ReadonlyMap<string, MachineSpec>> | undefined;
  const wanted = () => (asked ??= tasks().then(machineSpecs));
  // Before the first apply there are none.
  const machinesNow = async () => (await local.describe())?.machines ?? [];
  const machineNow = async (name: string, machineId: string | undefined) =>
    (await machinesNow()).find((one) => one.name === name && one.machineId === machineId);
  /** What a machine would be made from now, if the only difference is that it follows another plan; otherwise undefined. */
  const newUserData = async (
    { name, machineId }: Pick<FleetMachine, 'name' | 'machineId'>,
    { from, to }: { readonly from: string; readonly to: string },
  ): Promise<string | undefined> => {
    const [spec, machine] = [(await wanted()).get(name), await machineNow(name, machineId)];
    const isOnlyPlan = spec !== undefined && machine?.userDataHash === hashUserData(spec.userData.replaceAll(to, from));
    return isOnlyPlan ? spec.userData : undefined;
  };
  return {
    async groups(signal) {
      signal.throwIfAborted();
      const [specs, machines] = await Promise.all([wanted(), machinesNow()]);
      const names = new Set([...specs.values(), ...machines].map(({ instanceGroup }) => instanceGroup));
      return [...names].toSorted().flatMap((name): readonly FleetGroup[] => {
        const own = [...specs.values()].filter(({ instanceGroup }) => instanceGroup === name);
        const there = machines.filter(({ instanceGroup }) => instanceGroup === name);
        const [first] = [...own, ...there];
        if (first === undefined) return [];
        return [
          {
            name,
            role: first.role,
            wanted: own.length,
            missing: own.filter((spec) => !there.some((machine) => machine.name === spec.name)),
            machines: there.map(({ name: machine, state, createdMs, userDataHash, ...rest }) => {
              const spec = specs.get(machine);
              return {
                id: rest.machineId,
                name: machine,
                nodeName: rest.nodeName,
                instanceGroup: name,
                role: rest.role,
                address: rest.address,
                running: state === 'running',
                machineId: rest.machineId,
                launchedMs: createdMs,
                // A machine that is no longer wanted is taken away by an update, not replaced.
                isCurrent: spec === undefined || userDataHash === hashUserData(spec.userData),
                standing: 'counted',
              };
            }),
          },
        ];
      });
    },
    // A local cluster has no load balancers: its port on the host leads to control planes that run.
    deregister: async () => {},
    register: async () => {},
    inPlace: {
      isPossible: async (machine, change) => (await newUserData(machine, change)) !== undefined,
      async note(machine, change, signal) {
        // If the plan is not the newest, the machine stays outdated: it has not become what it would be made from now.
        const userData = await newUserData(machine, change);
        if (userData !== undefined) await local.renewMachine(machine.name, userData, signal);
      },
    },
    async delete({ name, machineId }, signal) {
      // The next machine of that name is another one.
      const machine = await machineNow(name, machineId);
      if (machine?.state === 'running') await local.stopMachine(name, signal, END_WITHIN_MS);
      if (machine !== undefined) await local.terminateMachine(name, signal);
    },
    async make(name, signal) {
      const spec = (await wanted()).get(name);
      if (spec === undefined) throw notWanted(local, name);
      const there = (await machinesNow()).find((machine) => machine.name === name);
      // Made already, maybe from what the machines of its group were made from at that time.
      if (there?.state === 'stopped') await local.startMachine(name, signal);
      else if (there === undefined) await local.createMachine(spec, signal);
    },
  };
}

const machineSpecs = (tasks: readonly Task[]): ReadonlyMap<string, MachineSpec> =>
  new Map(
    tasks
      .filter(({ kind }) => kind === machineHandler.kind)
      .map(({ props }) => machineSpec(props))
      .map((spec) => [spec.name, spec]),
  );

const notWanted = ({ cluster }: LocalCloud, name: string): ActionableError =>
  new ActionableError({
    what: `make the machine ${name} of ${cluster}`,
    why: 'its instance group no longer wants a machine of that name',
    next: `run \`kopsctl update cluster ${cluster} --yes\``,
  });
