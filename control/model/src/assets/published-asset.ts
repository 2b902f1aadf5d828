import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';

/**
 * An asset that an upstream project publishes and that was not seen when this suite was built. Its hash is in a table of
 * this release, or the control side reads it once from where the asset is published.
 */
export interface PublishedAsset extends Omit<AssetEntry, 'sha256' | 'size' | 'urls'> {
  readonly urls: readonly string[];
  /**
   * A file that contains the hash in hex: alone, or in a line with the asset's file name as sha256sum writes it. Nobody
   * publishes the hash of a key that signs packages: this is the key itself.
   */
  readonly sha256Url: string;
}
