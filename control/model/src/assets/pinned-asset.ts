import type { RuntimePackages } from '@kopsctl/spec/schema/runtime-packages.ts';
import type { PublishedAsset } from './published-asset.ts';

/** An asset whose location and hash a person wrote into the spec. */
export interface PinnedAsset extends Omit<PublishedAsset, 'sha256Url'> {
  readonly sha256: string;
}

/** The asset that the spec names instead of the published one, if it names one for this processor. */
export function pinnedBy(asset: PublishedAsset, packages: RuntimePackages = {}): PublishedAsset | PinnedAsset {
  const [url, sha256] =
    asset.arch === 'arm64' ? [packages.urlArm64, packages.hashArm64] : [packages.urlAmd64, packages.hashAmd64];
  if (url === undefined || sha256 === undefined) return asset;
  const { sha256Url: _, ...others } = asset;
  return { ...others, file: new URL(url).pathname.slice(1), urls: [url], sha256 };
}
