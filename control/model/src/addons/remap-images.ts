import type { ClusterFacts } from '../cluster-facts.ts';
import { runnableImage } from '../images/runnable-image.ts';
import type { Addon } from './addon.ts';

/** An addon whose images are those that the cluster's machines run. */
export interface RemappedAddon {
  readonly addon: Addon;
  /** By the wanted image, the one that runs. */
  readonly images: ReadonlyMap<string, string>;
  /** Images that machines can have no version of: without them, the addon does not run. */
  readonly missing: readonly string[];
}

/** Puts the images that machines can have in place of those that an addon wants. */
export function remapImages(facts: ClusterFacts, addon: Addon): RemappedAddon {
  const wanted = imagesOf(addon);
  const images = new Map<string, string>();
  for (const image of wanted) {
    const used = runnableImage(facts, image);
    if (used !== undefined) images.set(image, used);
  }
  return {
    images,
    missing: wanted.filter((image) => !images.has(image)),
    addon: {
      ...addon,
      objects: addon.objects.map((object) => remapped(object, { images, starts: addon.starts ?? [] })),
    },
  };
}

/** Every image of an addon: those of its containers, and those of pods that it makes itself. */
function imagesOf({ objects, starts = [] }: Addon): readonly string[] {
  const found: string[] = [];
  for (const object of objects) collectImages(object, found);
  return [...new Set([...found, ...starts])];
}

/** The lists of containers in the description of a pod, whichever kind of object it is part of. */
const CONTAINERS = new Set(['containers', 'initContainers']);

function collectImages(value: unknown, found: string[]): void {
  if (Array.isArray(value)) for (const item of value) collectImages(item, found);
  if (!isFields(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (CONTAINERS.has(key) && Array.isArray(field)) {
      found.push(
        ...field.flatMap((one: unknown) => (isFields(one) && typeof one['image'] === 'string' ? [one['image']] : [])),
      );
    }
    collectImages(field, found);
  }
}

interface Remapping {
  readonly images: ReadonlyMap<string, string>;
  /** As Addon has them. */
  readonly starts: readonly string[];
}

function remapped<Value>(value: Value, remapping: Remapping, isContainer = false): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts become texts, and the shape stays
  return remappedValue(value, remapping, isContainer) as Value;
}

function remappedValue(value: unknown, remapping: Remapping, isContainer: boolean): unknown {
  const { images, starts } = remapping;
  if (typeof value === 'string') {
    return starts.reduce((text, image) => text.replaceAll(image, images.get(image) ?? image), value);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => remapped(item, remapping, isContainer));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isContainer && key === 'image' && typeof field === 'string'
        ? (images.get(field) ?? field)
        : remapped(field, remapping, CONTAINERS.has(key)),
    ]),
  );
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
