import { lstat, mkdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, ordered } from './ordered.ts';

const schema = z.strictObject({ path: absolutePath, target: z.string(), ...ordered });
type Props = z.infer<typeof schema>;

/** A symbolic link. It replaces a file or link, but not a folder. */
export const symlinkHandler: Handler<NodeEnv, Props, { readonly target: string | undefined }> = {
  kind: 'Symlink',
  parse: (props) => schema.parse(props),

  async find(_name, props, env) {
    const path = join(env.root, props.path);
    const found = await ifThere(lstat(path));
    if (found === undefined) return undefined;
    return { target: found.isSymbolicLink() ? await readlink(path) : undefined };
  },

  plan(_name, props, actual): readonly Step[] {
    if (actual?.target === props.target) return [];
    const was =
      actual === undefined ? '' : actual.target === undefined ? ', in place of a file' : `, not ${actual.target}`;
    return [{ action: 'link', summary: `link ${props.path} to ${props.target}${was}` }];
  },

  async apply(_step, _name, props, env) {
    const path = join(env.root, props.path);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    const temporary = `${path}.kops-new`;
    await unlink(temporary).catch(() => undefined);
    await symlink(props.target, temporary);
    await rename(temporary, path);
  },
};
