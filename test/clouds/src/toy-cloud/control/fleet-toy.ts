import type { Fleet, FleetGroup } from '@kopsctl/model/fleet.ts';
import type { Task } from '@kopsctl/tasks/task.ts';
import { isOwned } from '../node/ownership.ts';
import { machineHandler } from './handlers/machine.ts';
import type { ToyEnv } from './handlers/toy-env.ts';
import { machineProps } from './kinds.ts';

/** The machines of a cluster in the toy cloud. A new one has the name of the one that it replaces, and an id of its own. */
export function toyFleet(env: ToyEnv, tasks: () => Promise<readonly Task[]>): Fleet {
  const { toy, cluster } = env;
  const wanted = async () => {
    const machines = (await tasks()).filter(({ kind }) => kind === machineHandler.kind);
    return new Map(machines.map(({ name, props }) => [name, machineProps.parse(props)]));
  };
  return {
    async groups() {
      const [specs, all] = await Promise.all([wanted(), toy.machines.list()]);
      const groups = Map.groupBy([...specs.values()], ({ instanceGroup }) => instanceGroup);
      return [...groups].map(([name, own]): FleetGroup => {
        const machines = all.filter((machine) => isOwned(machine, cluster) && machine.instanceGroup === name);
        return {
          name,
          role: own[0]?.role ?? 'Node',
          wanted: own.length,
          missing: [...specs]
            .filter(([machine, spec]) => spec.instanceGroup === name && !machines.some((one) => one.name === machine))
            .map(([machine]) => ({ name: machine, nodeName: machine })),
          machines: machines.map(({ id, name: machine, role, address, running, userData }) => ({
            id,
            name: machine,
            nodeName: machine,
            instanceGroup: name,
            role,
            address,
            running,
            // A machine that is no longer wanted is taken away by an update, not replaced.
            isCurrent: !specs.has(machine) || specs.get(machine)?.userData === userData,
            standing: 'counted',
          })),
        };
      });
    },
    deregister: async () => {},
    register: async () => {},
    async delete({ id, name }, signal) {
      const there = await toy.machines.read(name);
      const owned = { name, description: name, handle: name };
      if (there?.id === id) await machineHandler.remove?.(owned, env, signal);
    },
    async make(name, signal) {
      const props = (await wanted()).get(name);
      if (props !== undefined) await machineHandler.apply({ action: 'create', summary: '' }, name, props, env, signal);
    },
  };
}
