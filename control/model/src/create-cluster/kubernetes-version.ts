import semver from 'semver';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { refusal } from './refusal.ts';

/** The version that the flags name, as written, or the one that the channel recommends. */
export function kubernetesVersionOf({ kubernetesVersion }: CreateClusterFlags): string {
  const version = nonEmpty(kubernetesVersion) ?? RECOMMENDED_KUBERNETES;
  if (semver.parse(version) !== null) return version;
  throw refusal(`--kubernetes-version '${version}' is not a version`, 'write all three numbers, e.g. 1.36.3');
}
