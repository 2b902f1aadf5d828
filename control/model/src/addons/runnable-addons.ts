import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { Addon } from './addon.ts';
import { builtInAddons } from './built-in-addons.ts';
import { remapImages } from './remap-images.ts';

/** A cluster's addons with the images that its machines run, and what that changes about what the spec wants. */
export interface RunnableAddons {
  readonly addons: readonly Addon[];
  /** Those that they run. */
  readonly images: ReadonlySet<string>;
  /** Images that run in place of wanted ones that the prepared assets do not hold. */
  readonly replaced: readonly { readonly wanted: string; readonly used: string }[];
  /** Addons that are not made, because the prepared assets hold no version of an image. */
  readonly leftOut: readonly { readonly addon: Addon; readonly images: readonly string[] }[];
}

export function runnableAddons(facts: ClusterFacts, groups: readonly InstanceGroup[]): RunnableAddons {
  const all = builtInAddons(facts, groups).map((addon) => remapImages(facts, addon));
  const runnable = all.filter(({ missing }) => missing.length === 0);
  const images = new Map(runnable.flatMap((one) => [...one.images]));
  return {
    addons: runnable.map(({ addon }) => addon),
    images: new Set(images.values()),
    // A name of a mirror is the same image.
    replaced:
      facts.heldImages === undefined
        ? []
        : [...images].flatMap(([wanted, used]) => (used === wanted ? [] : [{ wanted, used }])),
    leftOut: all.filter(({ missing }) => missing.length > 0).map(({ addon, missing }) => ({ addon, images: missing })),
  };
}
