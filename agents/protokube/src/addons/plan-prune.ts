import type { Inventory, ObjectRef } from './inventory.ts';

/** Deleting one of these deletes more than the addon: everything in a namespace, every object of a kind, or data. */
const KEPT_KINDS = new Set(['Namespace', 'CustomResourceDefinition', 'PersistentVolume', 'PersistentVolumeClaim']);

export const isKept = ({ kind }: { readonly kind: string }): boolean => KEPT_KINDS.has(kind);

export interface Prune {
  readonly addon: string;
  /** In the reverse of the order they were applied in. */
  readonly remove: readonly ObjectRef[];
  /** No longer wanted, but left for a person to delete. */
  readonly keep: readonly ObjectRef[];
}

/**
 * Plans the removal of objects whose addon is no longer in any channel, and of objects that the addon's current
 * manifest no longer contains. An object that another addon contains is never pruned.
 *
 * @param wanted the objects of each addon in the channels; undefined for an addon whose manifest is not known now
 */
export function planPrune(
  inventory: Inventory,
  wanted: ReadonlyMap<string, readonly ObjectRef[] | undefined>,
): readonly Prune[] {
  const claimed = new Set<string>();
  for (const [addon, objects] of wanted) {
    for (const object of objects ?? inventory.get(addon)?.objects ?? []) claimed.add(identity(object));
  }
  return [...inventory].flatMap(([addon, { objects }]): readonly Prune[] => {
    if (wanted.has(addon) && wanted.get(addon) === undefined) return [];
    const gone = objects.filter((object) => !claimed.has(identity(object))).toReversed();
    if (gone.length === 0 && wanted.has(addon)) return [];
    return [{ addon, remove: gone.filter((object) => !isKept(object)), keep: gone.filter(isKept) }];
  });
}

export const isSameObject = (a: ObjectRef, b: ObjectRef): boolean => identity(a) === identity(b);

/** The version is left out: the server stores an object once and serves it in every version. */
function identity({ apiVersion, kind, namespace = '', name }: ObjectRef): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return [group, kind, namespace, name].join('/');
}
