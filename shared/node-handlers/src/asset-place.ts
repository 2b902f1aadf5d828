import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { download } from './download.ts';
import { knownSha256, stampFile } from './known-hash.ts';
import type { NodeEnv } from './node-env.ts';

/** What is downloaded: the same bytes at each URL. */
export const assetFields = {
  urls: z.array(z.string()).min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
};
export interface WantedAsset {
  readonly urls: readonly string[];
  readonly sha256: string;
}

/** A file below the root of the machine, and the hash that it has. */
export interface AssetPlace {
  readonly path: string;
  readonly sha256: string;
}

type AssetEnv = Pick<NodeEnv, 'root' | 'hashes'>;

const CACHE = '/var/cache/kops/sha256';

/** Where a download goes: a cache named by content. */
export const cachePath = ({ sha256 }: WantedAsset): string => join(CACHE, sha256);

/**
 * Where the asset is: in the cache, or at a `file://` URL, which names a file of this machine that needs no copy.
 * A file with other bytes is returned only from the cache, so that its corruption can be reported.
 */
export async function findAsset(
  env: AssetEnv,
  asset: WantedAsset,
  signal: AbortSignal,
): Promise<AssetPlace | undefined> {
  const path = cachePath(asset);
  const cached = await knownSha256(env, path, signal);
  if (cached === asset.sha256) return { path, sha256: cached };
  for (const url of asset.urls) {
    if (!url.startsWith('file://')) continue;
    const here = fileURLToPath(url);
    if ((await knownSha256(env, here, signal)) === asset.sha256) return { path: here, sha256: asset.sha256 };
  }
  return cached === undefined ? undefined : { path, sha256: cached };
}

/** Downloads the asset to the cache, verified. */
export async function downloadAsset(env: AssetEnv, asset: WantedAsset, signal: AbortSignal): Promise<void> {
  const path = cachePath(asset);
  await download(asset.urls, asset.sha256, join(env.root, path), signal);
  await stampFile(env, path, asset.sha256);
}

/** Removes the download of an asset that nothing reads any more. */
export async function forgetAsset(root: string, asset: WantedAsset): Promise<void> {
  await rm(join(root, cachePath(asset)), { force: true });
}
