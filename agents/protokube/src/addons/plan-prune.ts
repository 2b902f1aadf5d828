import type { Inventory, ObjectRef } from './inventory.ts';

/** What goes with them is more than an addon's: everything in a namespace, every object of a kind, data. */
const KEPT_KINDS = new Set(['Namespace', 'CustomResourceDefinition', 'PersistentVolume', 'PersistentVolumeClaim']);

export const isKept = ({ kind }: { readonly kind: string }): boolean => KEPT_KINDS.has(kind);

export interface Prune {
  readonly addon: string;
  /** In the reverse of the order in which they were applied. */
  readonly remove: readonly ObjectRef[];
  /** No longer wanted, and left for a person to remove. */
  readonly keep: readonly ObjectRef[];
}

/**
 * The objects of addons that are gone from every channel, and those that an addon's newer manifest has no more. An object
 * that another addon has is never pruned.
 *
 * @param wanted the objects of each addon of the channels; of one whose manifest is not known now, undefined
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

/** Versions of a kind are one: the server stores an object once. */
function identity({ apiVersion, kind, namespace = '', name }: ObjectRef): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  return [group, kind, namespace, name].join('/');
}
