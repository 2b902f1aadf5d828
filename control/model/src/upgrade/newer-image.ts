import type { ChannelImages } from '../create-cluster/channel.ts';

/** The images of a channel for one kind of machine. */
export interface ImagesOfChannel {
  /** All of them, those of older operating systems first. */
  readonly all: readonly string[];
  /** The one for a version of Kubernetes. */
  readonly wanted: string;
}

export const imagesIn = (images: ChannelImages): readonly string[] =>
  typeof images === 'string' ? [images] : [images.focal, images.jammy, images.noble];

/**
 * The image with which a channel replaces that of a group. Undefined where the group has an image of somebody else, or one that
 * is as new. Pure.
 */
export function newerImage(image: string | undefined, { all, wanted }: ImagesOfChannel): string | undefined {
  if (image === undefined || image === wanted) return undefined;
  const families = all.map(familyOf);
  const [own, next] = [families.indexOf(familyOf(image)), families.indexOf(familyOf(wanted))];
  if (own < 0 || own > next) return undefined;
  if (familyOf(image) !== familyOf(wanted)) return wanted;
  return releaseOf(image).localeCompare(releaseOf(wanted), 'en', { numeric: true }) < 0 ? wanted : undefined;
}

/** What the releases of an image have in common: its name without the date or version at its end. */
const familyOf = (image: string): string => image.replace(/[-:]v?[\d.]+$/, '');

const releaseOf = (image: string): string => image.slice(familyOf(image).length).replace(/^[-:]v?/, '');
