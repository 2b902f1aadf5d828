import type { FileAssetSpec } from '../cluster.ts';
import type { Inferred } from './infer.ts';
import type { ClusterRule, InstanceGroupRule } from './rule.ts';

const NAME = 'kops default of files';

/** kops nodeup/pkg/model/file_assets.go. */
const DIR = '/srv/kubernetes/assets';
const MODE = '0440';

export const fileAssetRules: readonly ClusterRule[] = [
  { name: NAME, infer: ({ spec }) => ({ fileAssets: spec.fileAssets?.map(defaultsOf) }) },
];

export const fileAssetGroupRules: readonly InstanceGroupRule[] = [
  { name: NAME, infer: ({ spec }) => ({ fileAssets: spec.fileAssets?.map(defaultsOf) }) },
];

/** Depends on nothing but the name: several files may have the same one, for machines of different roles. */
const defaultsOf = ({ name, path }: FileAssetSpec): Inferred<FileAssetSpec> =>
  name === undefined ? { path, mode: MODE } : { name, path: `${DIR}/${name}`, mode: MODE };
