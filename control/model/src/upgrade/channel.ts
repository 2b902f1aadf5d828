import semver from 'semver';

/** An image that a channel names, for a cloud and for some versions of Kubernetes. */
export interface ChannelImage {
  readonly cloud: string;
  readonly architecture: string;
  /** A range of versions of Kubernetes. */
  readonly kubernetes: string;
  readonly image: string;
}

/** What a channel says about some versions of Kubernetes. */
export interface VersionAdvice {
  readonly range: string;
  /** The patch release that clusters of these versions should run. */
  readonly recommended: string | undefined;
  /** Clusters of these versions have to run at least this one. */
  readonly required: string | undefined;
}

/** What a channel of kops says, as far as an upgrade reads it. */
export interface Channel {
  /** The version for clusters that this program makes. */
  readonly kubernetes: string | undefined;
  /** The first that fits a version counts. */
  readonly advice: readonly VersionAdvice[];
  /** Undefined where the images are the ones that this program knows of each cloud. */
  readonly images: readonly ChannelImage[] | undefined;
}

export const adviceFor = ({ advice }: Pick<Channel, 'advice'>, version: string): VersionAdvice | undefined =>
  advice.find(({ range }) => semver.satisfies(version, range, { includePrerelease: true }));

/** The patch release of a minor version, such as `1.35`, on the way to a newer one. */
export function patchOf(channel: Pick<Channel, 'advice'>, minor: string): string {
  const first = `${minor}.0`;
  const recommended = adviceFor(channel, first)?.recommended;
  return recommended !== undefined && semver.satisfies(recommended, `~${first}`) ? recommended : first;
}
