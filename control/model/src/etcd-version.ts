import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { EtcdClusterSpec } from '@kopsctl/spec/cluster.ts';
import { minorNumber, minorOf } from '@kopsctl/spec/minor-version.ts';
import type { Asset, AssetCatalog } from './assets/asset-catalog.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';

/**
 * The version that runs an etcd cluster: that of the spec, or the newest available patch release of its minor version
 * (members of one minor version understand each other and each other's data).
 */
export function etcdAsset(spec: EtcdClusterSpec, assets: AssetCatalog): Asset {
  const all = assets.all('etcd-');
  const wanted = spec.version === undefined ? undefined : bareVersion(spec.version);
  const found =
    all.find(({ version }) => version === wanted) ??
    all.find(({ version }) => wanted === undefined || minorOf(version) === minorOf(wanted));
  if (found !== undefined) return found;
  throw new ActionableError({
    what: `find etcd ${wanted ?? ''} for etcd cluster ${spec.name ?? ''}`,
    why:
      all.length === 0
        ? 'the asset index lists no etcd'
        : `the asset index lists ${all.map((entry) => entry.version).join(', ')}`,
    next: 'set spec.etcdClusters[].version to one of a listed minor version, or prepare it with `npm run assets`',
  });
}

/**
 * The versions of etcd that are installed on a machine: the wanted one, and the newest of the previous minor version,
 * which may have served the data until now.
 */
export function etcdAssets(spec: EtcdClusterSpec, assets: AssetCatalog): readonly Asset[] {
  const wanted = etcdAsset(spec, assets);
  const before = minorNumber(wanted.version) - 1;
  const older = assets
    .all('etcd-')
    .filter(({ version }) => minorNumber(version) === before)
    .toSorted((left, right) => left.version.localeCompare(right.version, 'en', { numeric: true }))
    .at(-1);
  return older === undefined ? [wanted] : [wanted, older];
}
