import { AUTHORITY_CA } from '@kopsctl/node-plan/boot-config.ts';
import type { Handler, JsonObject, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { type MachineSpec, type MachineView, machineSpecSchema } from '../records/records.ts';
import type { LocalEnv } from './local-env.ts';

/** References only determine the order. */
const propsSchema = machineSpecSchema.partial({ nodeName: true }).extend({
  /** Replaces AUTHORITY_CA in the user data. */
  authorityCa: z.string().optional(),
  network: z.unknown().optional(),
  after: z.unknown().optional(),
});
type MachineProps = z.infer<typeof propsSchema>;

/**
 * A machine that runs. As with a launch template, new user data only applies to new machines: a rolling update replaces
 * the machines with the old user data (see `userDataHash`).
 */
export const machineHandler: Handler<LocalEnv, MachineProps, MachineView> = {
  kind: 'local/Machine',

  parse: (props) => propsSchema.parse(props),

  async find(_name, props, env, signal) {
    const cluster = await env.local.describe(signal);
    return cluster?.machines.find((machine) => machine.name === props.name);
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual === undefined) {
      return [
        { action: 'create', summary: `create the machine ${props.name} (${props.role} of ${props.instanceGroup})` },
      ];
    }
    if (actual.state === 'stopped' || actual.state === 'stopping') {
      return [{ action: 'start', summary: `start the machine ${props.name}` }];
    }
    return [];
  },

  async apply(step, _name, props, env, signal) {
    if (step.action === 'start') await env.local.startMachine(props.name, signal);
    else await env.local.createMachine(specOf(props), signal);
  },

  outputs: (_name, _props, { name, address, userDataHash }) => ({ instanceId: name, address, userDataHash }),

  async listOwned(env, signal) {
    const cluster = await env.local.describeOwn(signal);
    return (cluster?.machines ?? []).map(({ name, instanceGroup }) => ({
      name,
      description: `${name} of ${instanceGroup}`,
      handle: name,
    }));
  },

  remove: (owned, env, signal) => env.local.terminateMachine(owned.name, signal),
};

/** What the machine of a task is made from. */
export const machineSpec = (props: JsonObject): MachineSpec => specOf(propsSchema.parse(props));

function specOf({ network: _network, after: _after, authorityCa = '', ...props }: MachineProps): MachineSpec {
  const userData = props.userData.replaceAll(AUTHORITY_CA, authorityCa);
  return { ...props, userData, nodeName: props.nodeName ?? props.name };
}
