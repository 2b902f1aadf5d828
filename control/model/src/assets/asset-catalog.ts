import semver from 'semver';
import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import type { AssetEntry } from '@kopsctl/assets/asset-index.ts';
import type { PinnedAsset } from './pinned-asset.ts';
import type { PublishedAsset } from './published-asset.ts';

/** An asset of the index, one that only upstream publishes, or one that the spec names. */
export type Asset = AssetEntry | PublishedAsset | PinnedAsset;

/** The processor architectures that assets are made for. */
export type Arch = Asset['arch'];

export interface AssetSource {
  readonly assets: readonly Asset[];
  /** Required if the assets are published ones. */
  readonly sha256Of?: Sha256Of;
}

/** The SHA-256 of a published asset, in hex. Called only for assets that a machine downloads. */
export type Sha256Of = (asset: PublishedAsset) => string;

/** Finds the assets of one architecture and the URLs from which a node downloads them. */
export interface AssetCatalog {
  /** The asset of exactly this version or, without a version, the newest. */
  find(name: string, version?: string): Asset;
  /**
   * The asset of that version, otherwise the one with the closest version: a completed spec has kops's default, which may
   * not be available. The major version counts most, because another one may not work with the same Kubernetes.
   *
   * @param range the versions that work, as semver writes ranges; all unless given
   */
  prefer(name: string, version: string | undefined, range?: string): Asset;
  /** Every asset whose name has this prefix, newest first. */
  all(prefix: string): readonly Asset[];
  urls(entry: Asset): readonly string[];
  /** The hash that a download must have, in hex. */
  sha256(entry: Asset): string;
}

/**
 * @param baseUrls are tried in this order, before the places where upstream publishes the same files
 *
 * @throws (from `find` and `prefer`) ActionableError that lists the available versions
 */
export function assetCatalog(index: AssetSource, arch: AssetEntry['arch'], baseUrls: readonly string[]): AssetCatalog {
  const entries = index.assets.filter((entry) => entry.arch === arch).toSorted(newestFirst);
  const named = (name: string): readonly Asset[] => entries.filter((entry) => entry.name === name);
  const notFound = (wanted: string, listed: readonly Asset[], next: string): ActionableError => {
    const versions = listed.map((entry) => entry.version).join(', ');
    return new ActionableError({
      what: `find the asset ${wanted} for ${arch}`,
      why: versions === '' ? 'the asset index does not list it' : `the asset index lists only ${versions}`,
      next,
    });
  };
  return {
    find(name, version) {
      const wanted = version?.replace(/^v/, '');
      const found = named(name).find((entry) => wanted === undefined || entry.version.replace(/^v/, '') === wanted);
      if (found !== undefined) return found;
      throw notFound(
        wanted === undefined ? name : `${name} ${wanted}`,
        named(name),
        'prepare it with `npm run assets`, or set the version in the cluster spec to one that is listed',
      );
    },
    prefer(name, version, range) {
      const wanted = semver.coerce(version);
      // Newest first, which decides where no version is wanted.
      const [nearest] = named(name)
        .filter((entry) => range === undefined || semver.satisfies(semver.coerce(entry.version) ?? '', range))
        .toSorted((a, b) => (wanted === null ? 0 : compareDistances(distance(a, wanted), distance(b, wanted))));
      if (nearest !== undefined) return nearest;
      throw notFound(
        range === undefined ? name : `${name} ${range}`,
        named(name),
        'prepare it with `npm run assets -- --kubernetes VERSION`, with the version of the cluster',
      );
    },
    all: (prefix) => entries.filter((entry) => entry.name.startsWith(prefix)),
    sha256(entry) {
      if ('sha256' in entry) return entry.sha256;
      if (index.sha256Of === undefined) throw new Error(`the hash of ${entry.name} ${entry.version} is not known`);
      return index.sha256Of(entry);
    },
    urls: (entry) => [...baseUrls.map((base) => `${base.replace(/\/$/, '')}/${entry.file}`), ...(entry.urls ?? [])],
  };
}

/** The distance between two versions: in major versions, then in minor versions, then in patch releases. */
function distance({ version }: Asset, wanted: semver.SemVer): readonly number[] {
  const { major, minor, patch } = semver.coerce(version) ?? wanted;
  return [Math.abs(major - wanted.major), Math.abs(minor - wanted.minor), Math.abs(patch - wanted.patch)];
}

function compareDistances(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  return at === -1 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

function newestFirst(left: Asset, right: Asset): number {
  const [a, b] = [semver.coerce(left.version), semver.coerce(right.version)];
  const order = a !== null && b !== null ? semver.rcompare(a, b) : 0;
  return order === 0 ? (left.file < right.file ? -1 : 1) : order;
}
