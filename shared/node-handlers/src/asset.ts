import { join } from 'node:path';
import type { Handler } from '@kopsctl/tasks/task.ts';
import { z } from 'zod';
import { download } from './download.ts';
import { knownSha256, stampFile } from './known-hash.ts';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';

const schema = z.strictObject({
  urls: z.array(z.string()).min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  ...ordered,
});
type Props = z.infer<typeof schema>;

const CACHE = '/var/cache/kops/sha256';

const pathOf = ({ sha256 }: Props): string => join(CACHE, sha256);

/** A download, verified before it is there, in a cache named by content. */
export const assetHandler: Handler<NodeEnv, Props, { readonly sha256: string }> = {
  kind: 'Asset',
  // More connections are no faster on one link and one disk.
  concurrency: 4,
  parse: (props) => schema.parse(props),

  async find(_name, props, env, signal) {
    const sha256 = await knownSha256(env.root, pathOf(props), signal);
    return sha256 === undefined ? undefined : { sha256 };
  },

  plan(_name, props, actual) {
    if (actual?.sha256 === props.sha256) return [];
    const why = actual === undefined ? '' : ` (the cached copy is corrupt: sha256 ${actual.sha256})`;
    return [{ action: 'download', summary: `download ${props.urls[0]}${why}` }];
  },

  async apply(_step, _name, props, env, signal) {
    const path = pathOf(props);
    await download(props.urls, props.sha256, join(env.root, path), signal);
    await stampFile(env.root, path, props.sha256);
  },

  plannedOutputs: (_name, props) => ({ path: pathOf(props) }),
  outputs: (_name, props) => ({ path: pathOf(props) }),
};
