import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
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

/** @throws ActionableError where somebody stored another spec while this one was prepared: applying this one would undo that */
export async function refuseOtherSpec(
  store: StateStore,
  cluster: string,
  { what, before }: { readonly what: string; readonly before: SpecVersions },
): Promise<void> {
  const moved = movedObjects(before, await specVersions(store, cluster));
  if (moved.length === 0) return;
  throw new ActionableError({
    what,
    why: `its spec was changed while this was prepared: ${moved.join(', ')}`,
    next: 'nothing was applied; repeat the command',
  });
}
