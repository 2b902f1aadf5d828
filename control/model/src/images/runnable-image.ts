import { canonicalRepository, parseImage } from '@kopsctl/spec/image-reference.ts';
import { mirroredImage } from '@kopsctl/spec/mirrored-image.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { nearestImage } from './nearest-image.ts';

/**
 * The image that a cluster's machines run in place of a wanted one: the same image by the name that they pull it by, or the nearest
 * version that the prepared assets hold. Undefined where the machines cannot have it. Every image of an addon and of a
 * static pod is decided here.
 */
export function runnableImage(
  { heldImages, kubernetes, spec }: Pick<ClusterFacts, 'heldImages' | 'kubernetes' | 'spec'>,
  wanted: string,
): string | undefined {
  if (heldImages === undefined) return mirroredImage(wanted, spec.assets);
  const range = kubernetes.imageRanges[canonicalRepository(parseImage(wanted).repository)];
  return nearestImage(wanted, heldImages, range);
}
