import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';
import type { Asset } from '@kopsctl/model/assets/asset-catalog.ts';
import type { Ref, Task } from '@kopsctl/tasks/task.ts';

const KIND = 'local/ContainerImages';

/**
 * The container images that nodes want in containerd, imported once for all machines of the cluster with that containerd.
 * An image whose archive is not among the prepared assets is left to nodeup.
 *
 * @param plans the tasks of each group's nodes
 */
export function localContainerImages(
  plans: readonly (readonly Task[])[],
  assets: readonly Asset[],
  assetsDir: string,
): readonly Task[] {
  const byContainerd = Map.groupBy(plans, (nodeTasks) => containerdOf(nodeTasks, assets));
  return [...byContainerd].flatMap(([containerd, alike]): readonly Task[] => {
    if (containerd === undefined) return [];
    const images = new Map(alike.flatMap((nodeTasks) => imagesOf(nodeTasks, assets)));
    const sorted = [...images.values()].toSorted((a, b) => (a.image < b.image ? -1 : 1));
    const { file, sha256, version } = containerd;
    return [{ kind: KIND, name: version, props: { assetsDir, containerd: { file, sha256 }, images: sorted } }];
  });
}

/** The folder that a machine's /var/lib/containerd begins with: none where Docker runs, whose storage cannot be shared. */
export function containerImagesFolder(nodeTasks: readonly Task[], assets: readonly Asset[]): Ref | undefined {
  const containerd = containerdOf(nodeTasks, assets);
  return containerd === undefined ? undefined : { ref: `${KIND}/${containerd.version}`, output: 'folder' };
}

function containerdOf(nodeTasks: readonly Task[], assets: readonly Asset[]): AssetEntry | undefined {
  return nodeTasks
    .filter(({ kind }) => kind === 'Archive')
    .map(({ props }) => entryOf(props['identity'], assets))
    .find((entry) => entry?.name === 'containerd');
}

function imagesOf(nodeTasks: readonly Task[], assets: readonly Asset[]) {
  return nodeTasks.flatMap(({ kind, props }) => {
    const { image, sha256 } = props;
    const entry = kind === 'Image' ? entryOf(sha256, assets) : undefined;
    if (entry === undefined || typeof image !== 'string') return [];
    return [[image, { image, file: entry.file, sha256: entry.sha256 }] as const];
  });
}

const entryOf = (sha256: unknown, assets: readonly Asset[]): AssetEntry | undefined =>
  assets.find((entry): entry is AssetEntry => 'sha256' in entry && entry.sha256 === sha256);
