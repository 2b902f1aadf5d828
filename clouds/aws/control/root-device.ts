import { findImage } from './image-name.ts';

/** The root device of an image that EC2 was not asked about. */
export const USUAL_ROOT_DEVICE = '/dev/xvda';

/** The root device of images of Canonical, Red Hat and Rocky Linux. */
const OTHER_ROOT_DEVICE = '/dev/sda1';
const OTHER_OWNERS: readonly string[] = ['099720109477', '309956199498', '792107900819'];
const OTHER_PARAMETERS = /^\/aws\/service\/canonical\//;

/** Publishers whose images have the usual root device. */
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

/** The root device of an image, as far as its publisher tells. */
export function rootDeviceOf(image: string): string | undefined {
  if (hasUsualRootDevice(image)) return USUAL_ROOT_DEVICE;
  const found = findImage(image);
  const isOther =
    (found.by === 'name' && OTHER_OWNERS.includes(found.owner)) ||
    (found.by === 'parameter' && OTHER_PARAMETERS.test(found.parameter));
  return isOther ? OTHER_ROOT_DEVICE : undefined;
}
