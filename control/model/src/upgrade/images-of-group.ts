import type { SpecCloud } from '@kopsctl/spec/cloud.ts';
import type { InstanceGroup } from '@kopsctl/spec/instance-group.ts';
import semver from 'semver';
import { imageFor } from '../create-cluster/channel.ts';
import type { CloudCreation } from '../create-cluster/cloud-creation.ts';
import { imagesOfType } from '../create-cluster/instance-groups.ts';
import type { Channel } from './channel.ts';
import { type ImagesOfChannel, imagesIn } from './newer-image.ts';

/** The images that a channel has for the machines of a group, and the one for a version of Kubernetes. Pure. */
export function imagesOfGroup(
  { images }: Channel,
  cloud: Pick<SpecCloud, 'name'> & { readonly creation: Pick<CloudCreation, 'images' | 'architectureOf'> },
  { spec: { machineType, image } }: InstanceGroup,
  kubernetes: string,
): ImagesOfChannel | undefined {
  if (images === undefined) {
    const known = imagesOfType(cloud.creation, machineType);
    const wanted = known && imageFor(known, kubernetes);
    return known === undefined || wanted === undefined ? undefined : { all: imagesIn(known), wanted };
  }
  // A channel says for which processors each image is; the name of a group's own image says so too.
  const own = images.filter(
    (one) => one.cloud === cloud.name && (one.architecture === 'arm64') === (image?.includes('arm64') ?? false),
  );
  const fits = own.find((one) => semver.satisfies(kubernetes, one.kubernetes, { includePrerelease: true }));
  return fits && { all: own.map((one) => one.image), wanted: fits.image };
}
