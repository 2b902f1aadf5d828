import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { runCommand } from './command.ts';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';

const schema = z.strictObject({
  name: z.string().regex(/^[a-z_][a-z0-9_-]*$/),
  uid: z.int().min(1).optional(),
  home: z.string().optional(),
  shell: z.string().optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

/** A system user with a group of the same name. Only the number of an existing user is changed. */
export const userHandler: Handler<NodeEnv, Props, { readonly uid: number }> = {
  kind: 'User',
  // useradd locks /etc/passwd.
  concurrency: 1,
  parse: (props) => schema.parse(props),

  async find(_name, props, env) {
    const passwd = await readFile(join(env.root, 'etc/passwd'), 'utf8').catch(() => '');
    const line = passwd.split('\n').find((one) => one.startsWith(`${props.name}:`));
    return line === undefined ? undefined : { uid: Number(line.split(':')[2]) };
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual === undefined) return [{ action: 'add', summary: `add the user ${props.name}` }];
    if (props.uid !== undefined && actual.uid !== props.uid) {
      const changes = [{ path: 'uid', from: actual.uid, to: props.uid }];
      return [{ action: 'renumber', summary: `change the number of the user ${props.name}`, changes }];
    }
    return [];
  },

  async apply(step, _name, props, env, signal) {
    const root = env.root === '/' ? [] : ['--root', env.root];
    if (step.action === 'renumber') {
      await runCommand(step.summary, 'usermod', [...root, '--uid', String(props.uid), props.name], signal);
      return;
    }
    const uid = props.uid === undefined ? [] : ['--uid', String(props.uid)];
    // Its group may still exist.
    const groups = await readFile(join(env.root, 'etc/group'), 'utf8').catch(() => '');
    const hasGroup = groups.split('\n').some((line) => line.startsWith(`${props.name}:`));
    const group = hasGroup ? ['--gid', props.name] : ['--user-group'];
    const args = ['--system', ...group, '--home-dir', props.home ?? '/nonexistent', '--no-create-home'];
    const shell = props.shell ?? '/usr/sbin/nologin';
    await runCommand(step.summary, 'useradd', [...root, ...args, ...uid, '--shell', shell, props.name], signal);
  },
};
