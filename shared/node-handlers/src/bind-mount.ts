import { mkdir, readFile } from 'node:fs/promises';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { runCommand } from './command.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';
import { notThisHost } from './running-host.ts';

const schema = z.strictObject({
  source: absolutePath,
  mountPoint: absolutePath,
  options: z.array(z.string().regex(/^[a-z]+$/)),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundMount {
  readonly options: readonly string[];
  /** Why nothing can be mounted. */
  readonly refusal?: string;
}

/** A folder mounted at another place with its own mount options. Mounted again at each boot. */
export const bindMountHandler: Handler<NodeEnv, Props, FoundMount> = {
  kind: 'BindMount',
  parse: (props) => schema.parse(props),

  async find(_name, props, env) {
    const refusal = notThisHost(env);
    if (refusal !== undefined) return { options: [], refusal };
    // proc(5): the fifth field is the mount point, the sixth its options.
    const mounts = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').map((line) => line.split(' '));
    const mount = mounts.findLast((fields) => fields[4] === props.mountPoint);
    return mount === undefined ? undefined : { options: (mount[5] ?? '').split(',') };
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual === undefined) return [{ action: 'mount', summary: `mount ${props.source} at ${props.mountPoint}` }];
    if (actual.refusal !== undefined) return [];
    // The kernel shows `exec` and the like by the absence of `noexec`.
    const wrong = props.options.filter((option) =>
      option.startsWith('no') || option === 'ro'
        ? !actual.options.includes(option)
        : actual.options.includes(`no${option}`),
    );
    if (wrong.length === 0) return [];
    return [{ action: 'remount', summary: `remount ${props.mountPoint} with ${wrong.join(', ')}` }];
  },

  async apply(step, _name, props, _env, signal) {
    if (step.action === 'mount') {
      await mkdir(props.source, { recursive: true, mode: 0o755 });
      await mkdir(props.mountPoint, { recursive: true, mode: 0o755 });
      await runCommand(step.summary, 'mount', ['--bind', props.source, props.mountPoint], signal);
    }
    if (props.options.length === 0) return;
    const options = ['remount', 'bind', ...props.options].join(',');
    await runCommand(step.summary, 'mount', ['-o', options, props.mountPoint], signal);
  },

  warnings: (_name, props, actual) =>
    actual?.refusal === undefined ? [] : [`${props.mountPoint} is not mounted: ${actual.refusal}`],
};
