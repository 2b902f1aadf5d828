import { OLDEST_SUPPORTED_KUBERNETES, RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import semver from 'semver';
import type { Channel, VersionAdvice } from './channel.ts';

/**
 * The newest patch of each minor version: of the minor versions that kops supports as of August 2026, the newest that its stable channel
 * knows; of older ones, the last that was ever released (kubernetes.io, "Patch Releases").
 */
const NEWEST_PATCHES: readonly string[] = [
  RECOMMENDED_KUBERNETES,
  '1.35.7',
  '1.34.10',
  '1.33.13',
  '1.32.13',
  '1.31.14',
  '1.30.14',
  '1.29.15',
  '1.28.15',
  '1.27.16',
  '1.26.15',
  '1.25.16',
  '1.24.17',
  '1.23.17',
  '1.22.17',
  '1.21.14',
  '1.20.15',
];

const isSupported = (version: string): boolean => semver.gte(version, OLDEST_SUPPORTED_KUBERNETES);

/** The newest patch of each minor version that kops supports, newest first. */
export const SUPPORTED_PATCHES: readonly string[] = NEWEST_PATCHES.filter(isSupported);

const advice = NEWEST_PATCHES.map((recommended): VersionAdvice => {
  const first = recommended.replace(/\.\d+$/, '.0');
  return { range: `>=${first}`, recommended, required: first };
});

/** kops's stable channel, as this program knows it without asking anybody. Images are kept with what else each cloud infers. */
export const STABLE_CHANNEL: Channel = {
  kubernetes: RECOMMENDED_KUBERNETES,
  advice: advice.map((one) => {
    // kops's stable channel requires no more of a supported minor version than that it was released.
    const first = one.required ?? OLDEST_SUPPORTED_KUBERNETES;
    return isSupported(first) ? one : { ...one, required: OLDEST_SUPPORTED_KUBERNETES };
  }),
  images: undefined,
};
