import type { StateStore } from '@kopsctl/state-store/store.ts';
import { instanceGroupFolder, objectPath } from '../store/object-paths.ts';

/** The version of each object of a spec, by its path in the store. */
export type SpecVersions = Readonly<Record<string, string>>;

/** The versions of the Cluster and its instance groups. */
export async function specVersions(store: StateStore, cluster: string): Promise<SpecVersions> {
  const [config, groups] = await Promise.all([
    store.read(objectPath(cluster, 'Cluster', cluster)),
    store.list(instanceGroupFolder(cluster)),
  ]);
  return Object.fromEntries<string>([
    ...(config === undefined ? [] : [[objectPath(cluster, 'Cluster', cluster), config.version] as const]),
    ...groups.map(({ path, version }) => [path, version] as const),
  ]);
}

/** What has changed in a spec. */
export function movedObjects(before: SpecVersions, after: SpecVersions): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .filter((path) => before[path] !== after[path])
    .map((path) => {
      if (after[path] === undefined) return `${path} was deleted`;
      return before[path] === undefined ? `${path} is new` : `${path} was changed`;
    });
}
