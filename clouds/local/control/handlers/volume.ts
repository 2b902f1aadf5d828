import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { type VolumeView, volumeSpecSchema } from '../records/records.ts';
import type { LocalEnv } from './local-env.ts';

/** References only determine the order. */
const propsSchema = volumeSpecSchema.extend({ network: z.unknown().optional(), after: z.unknown().optional() });
type VolumeProps = z.infer<typeof propsSchema>;

/** A volume. Its size cannot change. It outlives the machines it is attached to. */
export const volumeHandler: Handler<LocalEnv, VolumeProps, VolumeView> = {
  kind: 'local/Volume',

  parse: (props) => propsSchema.parse(props),

  async find(_name, props, env, signal) {
    const cluster = await env.local.describe(signal);
    return cluster?.volumes.find((volume) => volume.name === props.name);
  },

  plan: (_name, props, actual): readonly Step[] =>
    actual === undefined
      ? [{ action: 'create', summary: `create the volume ${props.name} (${props.sizeGiB} GiB)` }]
      : [],

  async apply(_step, _name, { name, sizeGiB, zone, tags }, env, signal) {
    await env.local.createVolume({ name, sizeGiB, zone, tags }, signal);
  },

  outputs: (_name, props) => ({ id: props.name }),
  plannedOutputs: (_name, props) => ({ id: props.name }),

  async listOwned(env, signal) {
    const cluster = await env.local.describeOwn(signal);
    return (cluster?.volumes ?? []).map(({ name, sizeGiB }) => ({
      name,
      description: `${name} (${sizeGiB} GiB)`,
      handle: name,
    }));
  },

  remove: (owned, env, signal) => env.local.deleteVolume(owned.name, signal),
};
