import { canonicalRepository, parseImage } from '@kopsctl/spec/image-reference.ts';
import { mirroredImage } from '@kopsctl/spec/mirrored-image.ts';
import type { ClusterFacts } from '../cluster-facts.ts';
import { nearestImage } from './nearest-image.ts';

/**
 * The image that the machines of a cluster run in place of a wanted one: the same image on a mirror, or the nearest version that
 * the prepared assets hold. Undefined if no version is available.
 */
export function runnableImage(
  { heldImages, kubernetes, spec }: Pick<ClusterFacts, 'heldImages' | 'kubernetes' | 'spec'>,
  wanted: string,
): string | undefined {
  if (heldImages === undefined) return mirroredImage(wanted, spec.assets);
  const range = kubernetes.imageRanges[canonicalRepository(parseImage(wanted).repository)];
  return nearestImage(wanted, heldImages, range);
}
