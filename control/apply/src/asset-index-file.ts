import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ActionableError, messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { AssetIndex } from '@kopsctl/assets/asset-index.ts';

/** Reads what the asset builder left in a folder. */
export async function readAssetIndex(assetsDir: string): Promise<AssetIndex> {
  const path = join(assetsDir, 'index.json');
  try {
    return JSON.parse(await readFile(path, 'utf8')) as AssetIndex;
  } catch (error) {
    throw new ActionableError({
      what: `read the list of assets ${path}`,
      why: messageOf(error),
      next: 'prepare the assets with `npm run assets`, or name their folder with --assets',
      cause: error,
    });
  }
}
