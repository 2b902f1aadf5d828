import semver from 'semver';
import { RECOMMENDED_KUBERNETES } from '@kopsctl/spec/kubernetes-versions.ts';
import type { CreateClusterFacts, CreateClusterFlags } from './flags.ts';
import { nonEmpty } from './given.ts';
import { refusal } from './refusal.ts';

/** The version that the flags name, as written, or the one that the channel recommends. */
export function kubernetesVersionOf(
  { kubernetesVersion, channel: named = '' }: CreateClusterFlags,
  { channel }: Pick<CreateClusterFacts, 'channel'>,
): string {
  const recommended = channel === undefined ? RECOMMENDED_KUBERNETES : channel.kubernetes;
  const version = nonEmpty(kubernetesVersion) ?? recommended;
  if (version === undefined) {
    throw refusal(`the channel ${named} recommends no version of Kubernetes`, 'name one with --kubernetes-version');
  }
  if (semver.parse(version) !== null) return version;
  throw refusal(`--kubernetes-version '${version}' is not a version`, 'write all three numbers, e.g. 1.36.3');
}
