import type { FieldChange, Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import type { LocalDescription } from '../supervisor/describe-cluster.ts';
import type { LocalEnv } from './local-env.ts';

const propsSchema = z.strictObject({
  cidr: z.string(),
  storeUrl: z.string(),
  assetsDir: z.string(),
  stateIdentity: z.string().optional(),
  storePlaces: z.array(z.strictObject({ folder: z.string(), url: z.string() })).optional(),
});
type NetworkProps = z.infer<typeof propsSchema>;

/**
 * The bridge, metadata service and API port of a cluster, which its supervisor runs. A cluster has one, which is
 * deleted with the cluster.
 */
export const networkHandler: Handler<LocalEnv, NetworkProps, LocalDescription> = {
  kind: 'local/Network',

  parse: (props) => propsSchema.parse(props),

  find: (_name, _props, env, signal) => env.local.describe(signal),

  plan(_name, props, actual): readonly Step[] {
    if (actual === undefined)
      return [{ action: 'create', summary: `create the network ${props.cidr} of local machines` }];
    const changes = differences(props, actual);
    if (changes.length > 0) return [{ action: 'update', summary: 'update what the metadata service serves', changes }];
    if (!actual.isRunning) return [{ action: 'start', summary: `start the network ${props.cidr} of local machines` }];
    return [];
  },

  async apply(_step, _name, { cidr, ...served }, env, signal) {
    await env.local.ensureSupervisor({ networkCidr: cidr, ...served }, signal);
  },

  outputs: (_name, _props, actual) => ({ apiPort: actual.network.apiPort }),
};

function differences(props: NetworkProps, { network }: LocalDescription): readonly FieldChange[] {
  const changes = (['cidr', 'storeUrl', 'assetsDir', 'stateIdentity'] as const).flatMap((path) => {
    const [from, to] = [network[path], props[path]];
    // An identity that is no longer asked for may stay: there is nothing left that it opens.
    return to === undefined || from === to ? [] : [{ path, ...(from === undefined ? {} : { from }), to }];
  });
  const [from, to] = [namesOf(network.storePlaces), namesOf(props.storePlaces)];
  return from === to ? changes : [...changes, { path: 'storePlaces', from, to }];
}

const namesOf = (places: NetworkProps['storePlaces'] = []): string =>
  places.map(({ folder, url }) => `${folder} at ${url}`).join(', ');
