import { findImage } from './image-name.ts';

/** The root device of an image that EC2 was not asked about. */
export const USUAL_ROOT_DEVICE = '/dev/xvda';

/** Publishers whose images have that root device. Those of Canonical, Red Hat and Rocky Linux have /dev/sda1. */
const NAMES: readonly { readonly owner: string; readonly name: RegExp }[] = [
  { owner: '136693071363', name: /^debian-/ },
  { owner: '075585003325', name: /^Flatcar-/ },
  { owner: '137112412989', name: /^(amzn2|al20\d\d)-ami-/ },
  { owner: 'amazon', name: /^((amzn2|al20\d\d)-ami-|bottlerocket-)/ },
];
const PARAMETERS = /^\/aws\/service\/(ami-amazon-linux-latest|bottlerocket|debian)\//;

/** Whether the publisher that a spec names with its image is known to use the usual root device. */
export function hasUsualRootDevice(image: string): boolean {
  const found = findImage(image);
  switch (found.by) {
    case 'id':
      return false;
    case 'parameter':
      return PARAMETERS.test(found.parameter);
    case 'name':
      return NAMES.some(({ owner, name }) => owner === found.owner && name.test(found.name));
  }
}
