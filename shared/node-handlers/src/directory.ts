import { chmod, chown, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, octalMode, ordered } from './ordered.ts';
import { findOwner, ownerOf } from './owner.ts';

const schema = z.strictObject({
  path: absolutePath,
  mode: octalMode,
  owner: z.string().optional(),
  group: z.string().optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundDirectory {
  readonly isDirectory: boolean;
  readonly mode: string;
  readonly isOwned: boolean;
}

/** A folder with this mode and owner. Its contents are left alone. */
export const directoryHandler: Handler<NodeEnv, Props, FoundDirectory> = {
  kind: 'Directory',
  parse: (props) => schema.parse(props),

  async find(_name, props, env) {
    // A link to a folder counts as a folder: people move /var/lib/docker to a larger disk that way.
    const found = await ifThere(stat(join(env.root, props.path)));
    if (found === undefined) return undefined;
    const owner = await findOwner(env.root, props.owner, props.group);
    return {
      isDirectory: found.isDirectory(),
      mode: (found.mode & 0o7777).toString(8).padStart(4, '0'),
      isOwned: env.root !== '/' || (owner !== undefined && owner.uid === found.uid && owner.gid === found.gid),
    };
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual === undefined)
      return [{ action: 'make', summary: `make the folder ${props.path} (mode ${props.mode})` }];
    if (!actual.isDirectory)
      return [{ action: 'make', summary: `make the folder ${props.path} in place of something else` }];
    if (actual.mode !== props.mode) {
      const changes = [{ path: 'mode', from: actual.mode, to: props.mode }];
      return [{ action: 'own', summary: `change the mode of ${props.path}`, changes }];
    }
    if (!actual.isOwned) return [{ action: 'own', summary: `give ${props.path} to ${props.owner ?? 'root'}` }];
    return [];
  },

  async apply(step, _name, props, env) {
    const path = join(env.root, props.path);
    if (step.action === 'make') await mkdir(path, { recursive: true, mode: 0o755 });
    await chmod(path, Number.parseInt(props.mode, 8));
    if (env.root !== '/') return;
    const { uid, gid } = await ownerOf(env.root, props.owner, props.group);
    await chown(path, uid, gid);
  },
};
