import { randomUUID } from 'node:crypto';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import type { ToyMachine } from '../../node/toy-things.ts';
import { machineProps, type MachineProps } from '../kinds.ts';
import { owned } from './owned.ts';
import { takeAddress } from './take-address.ts';
import type { ToyEnv } from './toy-env.ts';

const { find, listOwned } = owned(({ machines }) => machines);

/** A machine that runs. One that runs with other user-data stays: a rolling update replaces it. */
export const machineHandler: Handler<ToyEnv, MachineProps, ToyMachine> = {
  kind: 'toy/Machine',
  find,
  listOwned,
  parse: (props) => machineProps.parse(props),
  plan(name, { role, instanceGroup }, actual): readonly Step[] {
    if (actual === undefined) {
      return [{ action: 'create', summary: `create the machine ${name} (${role} of ${instanceGroup})` }];
    }
    return actual.running ? [] : [{ action: 'start', summary: `start the machine ${name}` }];
  },
  async apply(step, name, { after: _after, ...props }, { toy, cluster }, signal) {
    if (step.action === 'start') {
      const stopped = await find(name, props, { toy, cluster }, signal);
      if (stopped !== undefined) await toy.machines.write({ ...stopped, running: true });
      return;
    }
    const address = await takeAddress(toy, props.network, name);
    await toy.machines.add({ id: randomUUID(), name, ...props, address, running: true });
  },
  outputs: (_name, _props, { address }) => ({ address }),
  async remove({ name }, { toy }) {
    const attachments = await toy.attachments.list();
    await Promise.all(
      attachments.filter(({ machine }) => machine === name).map((held) => toy.attachments.delete(held.name)),
    );
    const machine = await toy.machines.read(name);
    if (machine !== undefined) await toy.addresses.delete(machine.address);
    await toy.machines.delete(name);
  },
};
