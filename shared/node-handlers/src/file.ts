import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '@kopsctl/files/if-there.ts';
import type { Handler, Step } from '@kopsctl/tasks/task.ts';
import { unifiedDiff } from '@kopsctl/tasks/unified-diff.ts';
import * as z from 'zod';
import { replaceFile } from './replace-file.ts';
import { contentSchema, resolveContent } from './file-content.ts';
import { expectSha256, knownSha256, stampFile } from './known-hash.ts';
import type { NodeEnv } from './node-env.ts';
import { absolutePath, octalMode, ordered } from './ordered.ts';
import { findOwner, ownerOf } from './owner.ts';

const schema = z.strictObject({
  path: absolutePath,
  content: contentSchema,
  mode: octalMode,
  owner: z.string().optional(),
  group: z.string().optional(),
  sensitive: z.boolean().optional(),
  ...ordered,
});
type Props = z.infer<typeof schema>;

interface FoundFile {
  readonly isRegular: boolean;
  readonly isSame: boolean;
  readonly mode: string;
  readonly isOwned: boolean;
  /** Both texts, where they differ and may be shown. */
  readonly texts?: { readonly actual: string; readonly wanted: string };
}

/** A file with exactly this content, mode and owner. */
export const fileHandler: Handler<NodeEnv, Props, FoundFile> = {
  kind: 'File',
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const path = join(env.root, props.path);
    const found = await ifThere(lstat(path));
    if (found === undefined) return undefined;
    const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
    const owner = await findOwner(env.root, props.owner, props.group);
    const isOwned = env.root !== '/' || (owner !== undefined && owner.uid === found.uid && owner.gid === found.gid);
    if (!found.isFile()) return { isRegular: false, isSame: false, mode, isOwned };
    const wanted = await resolveContent(props.content, env, signal);
    if ('sha256' in wanted) {
      const actual = await knownSha256(env, props.path, signal);
      return { isRegular: true, isSame: actual === wanted.sha256, mode, isOwned };
    }
    const actual = await readFile(path);
    const isSame = actual.equals(wanted.bytes);
    const shown = 'text' in props.content && props.sensitive !== true && !isSame ? props.content.text : undefined;
    return {
      isRegular: true,
      isSame,
      mode,
      isOwned,
      ...(shown === undefined ? {} : { texts: { actual: actual.toString('utf8'), wanted: shown } }),
    };
  },

  plan(_name, props, actual): readonly Step[] {
    const summary = `write ${props.path} (mode ${props.mode})`;
    if (actual === undefined) return [{ action: 'write', summary }];
    if (!actual.isRegular)
      return [{ action: 'write', summary: `${summary} in place of something that is not a regular file` }];
    if (!actual.isSame) {
      const diff = actual.texts && unifiedDiff(props.path, actual.texts.actual, actual.texts.wanted);
      return [{ action: 'write', summary, ...(diff === undefined ? {} : { diff }) }];
    }
    if (actual.mode !== props.mode) {
      const changes = [{ path: 'mode', from: actual.mode, to: props.mode }];
      return [{ action: 'write', summary: `change the mode of ${props.path}`, changes }];
    }
    if (!actual.isOwned) {
      const owner = `${props.owner ?? 'root'}:${props.group ?? props.owner ?? 'root'}`;
      return [{ action: 'write', summary: `give ${props.path} to ${owner}` }];
    }
    return [];
  },

  async apply(_step, _name, props, env, signal) {
    const content = await resolveContent(props.content, env, signal);
    const owner = env.root === '/' ? await ownerOf(env.root, props.owner, props.group) : undefined;
    const path = join(env.root, props.path);
    const mode = Number.parseInt(props.mode, 8);
    if ('bytes' in content) return replaceFile(path, content.bytes, mode, owner);
    await expectSha256(env, content.assetPath, content.sha256, signal);
    await replaceFile(path, { copyOf: join(env.root, content.assetPath) }, mode, owner);
    await stampFile(env, props.path, content.sha256);
  },

  plannedOutputs: (_name, props) => ({ path: props.path }),
  outputs: (_name, props) => ({ path: props.path }),
};
