import semver from 'semver';

/**
 * What kops's stable channel recommends (kubernetes/kops channels/stable, and the defaults in
 * upup/pkg/fi/cloudup/new_cluster.go), as of July 2026. Each cloud has its own images and machine types.
 */

export type Architecture = 'amd64' | 'arm64';

/** The default version of Kubernetes. */
export const RECOMMENDED_KUBERNETES = '1.35.0';

/** Names of images, by the oldest Kubernetes version that each supports. */
export type ChannelImages = Readonly<Record<string, string>>;

/** The image that the channel recommends for a version of Kubernetes: the newest that supports it. */
export function imageFor(images: ChannelImages, kubernetes: string): string | undefined {
  const release = semver.coerce(kubernetes)?.version ?? RECOMMENDED_KUBERNETES;
  return Object.entries(images)
    .filter(([since]) => semver.lte(since, release))
    .toSorted(([left], [right]) => semver.compare(left, right))
    .at(-1)?.[1];
}

export type MachineRole = 'controlPlane' | 'node' | 'apiServer' | 'bastion';

/** One machine type for every role, with an optional smaller one for bastions. */
export const everywhere = (machine: string, bastion = machine): Readonly<Record<MachineRole, string>> => ({
  controlPlane: machine,
  node: machine,
  apiServer: machine,
  bastion,
});
