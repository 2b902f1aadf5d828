import type { Handler } from '@kopsctl/tasks/task.ts';
import * as z from 'zod';
import { type AssetPlace, assetFields, cachePath, downloadAsset, findAsset } from './asset-place.ts';
import type { NodeEnv } from './node-env.ts';
import { ordered } from './ordered.ts';

const schema = z.strictObject({ ...assetFields, ...ordered });
type Props = z.infer<typeof schema>;

/** A file with the wanted hash on this machine, downloaded where it is not there yet. */
export const assetHandler: Handler<NodeEnv, Props, AssetPlace> = {
  kind: 'Asset',
  // More connections are no faster on one link and one disk.
  concurrency: 4,
  parse: (props) => schema.parse(props),

  find: (_name, props, env, signal) => findAsset(env, props, signal),

  plan(_name, props, actual) {
    if (actual?.sha256 === props.sha256) return [];
    const why = actual === undefined ? '' : ` (the cached copy is corrupt: sha256 ${actual.sha256})`;
    return [{ action: 'download', summary: `download ${props.urls[0]}${why}` }];
  },

  apply: (_step, _name, props, env, signal) => downloadAsset(env, props, signal),

  // Where a download would go. The file that is found may be elsewhere.
  plannedOutputs: (_name, props) => ({ path: cachePath(props) }),
  outputs: (_name, _props, { path }) => ({ path }),
};
