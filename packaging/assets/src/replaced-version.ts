import type { MadeFile } from './cached-folder.ts';
import type { Recipe } from './recipe.ts';

/**
 * The version that was made because the wanted one cannot be had. What is packed from other things has their version,
 * which is not reported again.
 */
export function replacedVersion(
  { version, needs = [] }: Pick<Recipe, 'version' | 'needs'>,
  files: readonly MadeFile[],
): string | undefined {
  const made = files[0]?.version ?? version;
  // A recipe that names only a minor version leaves the patch release to Debian.
  const isExact = version.split('.').length === made.split('.').length;
  return needs.length === 0 && isExact && made !== version ? made : undefined;
}
