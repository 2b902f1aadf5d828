import { PermanentError } from '@kopsctl/tasks/failure.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import type { ToyNetwork } from '../../node/toy-things.ts';
import { networkProps, type NetworkProps } from '../kinds.ts';
import { owned } from './owned.ts';
import type { ToyEnv } from './toy-env.ts';

/** A network with a range of addresses, which it keeps. */
export const networkHandler: Handler<ToyEnv, NetworkProps, ToyNetwork> = {
  kind: 'toy/Network',
  ...owned(({ networks }) => networks),
  parse: (props) => networkProps.parse(props),
  plan(name, { cidr }, actual): readonly Step[] {
    if (actual === undefined) return [{ action: 'create', summary: `create the network ${cidr}` }];
    if (actual.cidr === cidr) return [];
    throw new PermanentError({
      what: `change the range of the network ${name} from ${actual.cidr} to ${cidr}`,
      why: 'a network keeps the range that it was made with',
      next: `set spec.networkCIDR to ${actual.cidr}`,
    });
  },
  apply: (_step, name, props, { toy }) => toy.networks.write({ name, ...props }),
  outputs: (name) => ({ id: name }),
  plannedOutputs: (name) => ({ id: name }),
};
