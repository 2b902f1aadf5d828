import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import { isSameImage } from '@kopsctl/spec/image-reference.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import type { Replaced } from '../assets/replaced.ts';
import type { Addon } from './addon.ts';
import { builtInAddons } from './built-in-addons.ts';
import { remapImages } from './remap-images.ts';

/** The addons of a cluster with the images that its machines can run, and how that differs from what the spec wants. */
export interface RunnableAddons {
  readonly addons: readonly Addon[];
  /** All images of these addons. */
  readonly images: ReadonlySet<string>;
  /** Wanted images that the prepared assets do not hold, and the ones that run instead. */
  readonly replaced: readonly Replaced[];
  /** Addons that are not installed because the prepared assets hold no version of an image. */
  readonly leftOut: readonly { readonly addon: Addon; readonly images: readonly string[] }[];
}

export function runnableAddons(facts: ClusterFacts, groups: readonly InstanceGroup[]): RunnableAddons {
  const all = builtInAddons(facts, groups).map((addon) => remapImages(facts, addon));
  const runnable = all.filter(({ missing }) => missing.length === 0);
  const images = new Map(runnable.flatMap((one) => [...one.images]));
  return {
    addons: runnable.map(({ addon }) => addon),
    images: new Set(images.values()),
    // A mirror serves the same image under another name.
    replaced:
      facts.heldImages === undefined
        ? []
        : [...images].flatMap(([wanted, used]) => (isSameImage(used, wanted) ? [] : [{ wanted, used }])),
    leftOut: all.filter(({ missing }) => missing.length > 0).map(({ addon, missing }) => ({ addon, images: missing })),
  };
}
