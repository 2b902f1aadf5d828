import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';
import { parseAssetIndex } from '@kopsctl/assets/parse-asset-index.ts';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';

/** Reads what the asset builder left in a folder. */
export async function readAssetIndex(assetsDir: string): Promise<AssetIndex> {
  const path = join(assetsDir, 'index.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new ActionableError({
      what: `read the list of assets ${path}`,
      why: messageOf(error),
      next: 'clusters on this computer need prepared assets: make them with `npm run assets` in the sources of kopsctl, or name their folder with --assets',
      cause: error,
    });
  });
  return parseAssetIndex(text, path);
}
