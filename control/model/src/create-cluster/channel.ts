import { kubernetesFacts, RECOMMENDED_KUBERNETES, type UbuntuRelease } from '@kopsctl/spec/kubernetes-versions.ts';

/*
 * What kops's stable channel recommends besides the version of Kubernetes (kubernetes/kops channels/stable, and the defaults in
 * upup/pkg/fi/cloudup/new_cluster.go), as of August 2026. Each cloud keeps its own images and machine types.
 */

export type Architecture = 'amd64' | 'arm64';

/** A cloud's names of the images, or of one for every version of Kubernetes. */
export type ChannelImages = string | Readonly<Record<UbuntuRelease, string>>;

/** The image that the channel names for a version of Kubernetes. */
export const imageFor = (images: ChannelImages, kubernetes: string): string | undefined => {
  if (typeof images === 'string') return images;
  const facts = kubernetesFacts(kubernetes) ?? kubernetesFacts(RECOMMENDED_KUBERNETES);
  return facts && images[facts.ubuntu];
};

export type MachineRole = 'controlPlane' | 'node' | 'apiServer' | 'bastion';

/** One machine type for every role, with an optional smaller one for bastions. */
export const everywhere = (machine: string, bastion = machine): Readonly<Record<MachineRole, string>> => ({
  controlPlane: machine,
  node: machine,
  apiServer: machine,
  bastion,
});
