import { differences } from '@kopsctl/tasks/differences.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import type { ToyVolume } from '../../node/toy-things.ts';
import { volumeProps, type VolumeProps } from '../kinds.ts';
import { owned } from './owned.ts';
import type { ToyEnv } from './toy-env.ts';

/** A volume. It outlives the machines that hold it, and can be made larger while one does. */
export const volumeHandler: Handler<ToyEnv, VolumeProps, ToyVolume> = {
  kind: 'toy/Volume',
  ...owned(({ volumes }) => volumes),
  parse: (props) => volumeProps.parse(props),
  plan(name, props, actual): readonly Step[] {
    if (actual === undefined) {
      return [{ action: 'create', summary: `create the volume ${name} (${props.sizeGiB} GiB)` }];
    }
    const changes = differences({ name, ...props }, actual);
    return changes.length === 0 ? [] : [{ action: 'update', summary: `change the volume ${name}`, changes }];
  },
  apply: (_step, name, props, { toy }) => toy.volumes.write({ name, ...props }),
};
