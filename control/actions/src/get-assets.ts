import { mirroredImage } from '@kopsctl/spec/mirrored-image.ts';
import { hostSettings } from './cloud/host-settings.ts';
import { modelOf } from './cloud/model-of.ts';
import type { ClusterAssets, FileAsset } from './assets/cluster-assets.ts';
import { filesOf, imagesOf, type NamedFile } from './assets/named-assets.ts';
import { type ActionContext, inPhase, note } from './phases/action.ts';
import { chooseCluster } from './phases/choose-cluster.ts';
import { completeAndValidate } from './spec/complete.ts';
import { readCluster } from './store/cluster-store.ts';

/**
 * Everything that the machines of a cluster download. No connection is opened but that to the state store; to copy
 * the files, hashes that are in no table are read where the files are published.
 */
export async function getAssets(context: ActionContext, { copy }: { readonly copy: boolean }): Promise<ClusterAssets> {
  const { store, cluster: name } = await chooseCluster(context, undefined);
  const { cluster, instanceGroups } = await inPhase(context, 'read the cluster', () => readCluster(store, name));
  const completed = completeAndValidate(cluster, instanceGroups, store.url);
  const { assets } = completed.cluster.spec;
  const settings = hostSettings(context.env, undefined);
  const { tasks, files } = await inPhase(context, 'work out the tasks', async () => {
    // As if no mirror were named: projects' own names are wanted.
    const { assets: _mirrors, ...spec } = completed.cluster.spec;
    const own = { ...completed, cluster: { ...completed.cluster, spec } };
    const { env, signal } = context;
    const modelled = await modelOf({ store, completed: own, settings, offline: !copy, env, signal });
    for (const { name: asset, version } of modelled.unknown) {
      note(
        context,
        `Note: the hash of ${asset} ${version} is in no table; machines get it once the cluster is applied`,
      );
    }
    return modelled;
  });
  const images = imagesOf(tasks);
  const named: ClusterAssets = {
    images: images.map((canonical) => ({ canonical, download: mirroredImage(canonical, assets) })),
    files: filesOf(tasks, files).map((file) => fileAsset(file, assets?.fileRepository)),
  };
  if (copy) {
    const { copyAssets } = await import('./assets/copy-assets.ts');
    await inPhase(context, 'copy the assets', () => copyAssets(context, named, assets?.fileRepository));
  }
  return named;
}

/** A mirror has files by the path that they have at their project. */
function fileAsset({ url, sha256 }: NamedFile, mirror: string | undefined): FileAsset {
  const path = url.replace(/^https?:\/\/[^/]+\//, '');
  const download = mirror === undefined || mirror === '' ? url : `${mirror.replace(/\/$/, '')}/${path}`;
  return { canonical: url, download, sha: sha256 };
}
