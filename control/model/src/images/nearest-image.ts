import semver from 'semver';
import { canonicalRepository, parseImage } from '@kopsctl/spec/image-reference.ts';

/**
 * The held image that is nearest to a wanted one: the same version where it is held, else the version with the smallest
 * distance, and of two equally near the newer. Undefined where no version is held that works.
 *
 * @param range the versions that work, as semver writes ranges; all unless given
 */
export function nearestImage(wanted: string, held: readonly string[], range = '*'): string | undefined {
  const { repository, tag = '' } = parseImage(wanted);
  const name = canonicalRepository(repository);
  const same = held.filter((image) => canonicalRepository(parseImage(image).repository) === name);
  const exact = same.find((image) => parseImage(image).tag === tag);
  if (exact !== undefined) return exact;
  const versionOf = (image: string): semver.SemVer | undefined => versionIn(parseImage(image).tag);
  const target = versionIn(tag);
  return same
    .flatMap((image) => {
      const version = versionOf(image);
      return version !== undefined && semver.satisfies(version, range) ? [{ image, version }] : [];
    })
    .toSorted(
      (a, b) => (target === undefined ? 0 : nearer(target, a.version, b.version)) || newer(a.version, b.version),
    )
    .at(0)?.image;
}

/** What follows the version, such as the number of a rebuild, does not count. */
const versionIn = (tag = ''): semver.SemVer | undefined => semver.coerce(tag) ?? undefined;

const newer = (a: semver.SemVer, b: semver.SemVer): number => semver.rcompare(a, b);

/** By how far the major versions are apart, then the minor ones, then the patches. */
function nearer(target: semver.SemVer, a: semver.SemVer, b: semver.SemVer): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    const difference = Math.abs(a[part] - target[part]) - Math.abs(b[part] - target[part]);
    if (difference !== 0) return difference;
  }
  return 0;
}
