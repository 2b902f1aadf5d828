import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';

/**
 * An asset that the builder has not seen: its project publishes it. Its hash is in the table of this release, or the
 * control side reads it once where the project publishes it.
 */
export interface PublishedAsset extends Omit<AssetEntry, 'sha256' | 'size' | 'urls'> {
  readonly urls: readonly string[];
  /** A file that holds the hash in hex: alone, or in a line with the asset's file name as sha256sum writes it. */
  readonly sha256Url: string;
}
