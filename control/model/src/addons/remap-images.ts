import { isRecord } from '@kopsctl/tasks/record.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { runnableImage } from '../images/runnable-image.ts';
import type { Addon } from './addon.ts';

/** An addon with the images that the machines of the cluster can run. */
export interface RemappedAddon {
  readonly addon: Addon;
  /** Maps each wanted image to the one that runs. */
  readonly images: ReadonlyMap<string, string>;
  /** Wanted images of which no version is available. The addon cannot run without them. */
  readonly missing: readonly string[];
}

/** Replaces the images of an addon by images that the machines can run. */
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

/** All images of an addon: those of its containers, and those of pods that it creates itself. */
function imagesOf({ objects, starts = [] }: Addon): readonly string[] {
  const found: string[] = [];
  for (const object of objects) collectImages(object, found);
  return [...new Set([...found, ...starts])];
}

/** Fields of a PodSpec that list containers. */
const CONTAINERS = new Set(['containers', 'initContainers']);

function collectImages(value: unknown, found: string[]): void {
  if (Array.isArray(value)) for (const item of value) collectImages(item, found);
  if (!isRecord(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (CONTAINERS.has(key) && Array.isArray(field)) {
      found.push(
        ...field.flatMap((one: unknown) => (isRecord(one) && typeof one['image'] === 'string' ? [one['image']] : [])),
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
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      isContainer && key === 'image' && typeof field === 'string'
        ? (images.get(field) ?? field)
        : remapped(field, remapping, CONTAINERS.has(key)),
    ]),
  );
}
