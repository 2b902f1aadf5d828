import { findCloud } from '@kopsctl/clouds/control.ts';
import { type Architecture, imageFor } from '@kopsctl/model/create-cluster/channel.ts';
import type { TemplateFunction } from '@kopsctl/model/go-template/evaluate.ts';
import { shown, type Value } from '@kopsctl/model/go-template/values.ts';
import { adviceFor, type Channel } from '@kopsctl/model/upgrade/channel.ts';
import { bareVersion } from '@kopsctl/spec/names.ts';
import semver from 'semver';

/** What templates ask a channel (kops pkg/util/templater/template_functions.go). */
export function channelFunctions(channel: Channel): Readonly<Record<string, TemplateFunction>> {
  const version = (): string => found(channel.kubernetes, 'names no version of Kubernetes for new clusters');
  return {
    ChannelRecommendedKopsKubernetesVersion: version,
    ChannelRecommendedKubernetesUpgradeVersion: (running) => upgradeOf(channel, running),
    ChannelRecommendedImage: (cloud, kubernetes, architecture) =>
      found(
        imageOf(channel, shown(cloud), bareVersion(shown(kubernetes)), shown(architecture)),
        `names no image for ${shown(cloud)}, Kubernetes ${shown(kubernetes)} and ${shown(architecture)}`,
      ),
  };
}

/** The version itself, where the channel has nothing newer for it. */
function upgradeOf(channel: Channel, running: Value | undefined): string {
  const version = bareVersion(shown(running));
  if (semver.valid(version) === null) throw new Error(`${shown(running)} is not a version of Kubernetes`);
  const recommended = adviceFor(channel, version)?.recommended;
  return recommended !== undefined && semver.gt(recommended, version) ? recommended : version;
}

function imageOf({ images }: Channel, cloud: string, kubernetes: string, architecture: string): string | undefined {
  if (images === undefined) {
    const known = findCloud(cloud)?.creation.images?.[architectureOf(architecture)];
    return known && imageFor(known, kubernetes);
  }
  return images.find(
    (one) =>
      one.cloud === cloud &&
      one.architecture === architecture &&
      semver.satisfies(kubernetes, one.kubernetes, { includePrerelease: true }),
  )?.image;
}

function architectureOf(name: string): Architecture {
  if (name === 'amd64' || name === 'arm64') return name;
  throw new Error(`${name} is not a known architecture: use amd64 or arm64`);
}

function found(answer: string | undefined, otherwise: string): string {
  if (answer === undefined) throw new Error(`the channel ${otherwise}`);
  return answer;
}
