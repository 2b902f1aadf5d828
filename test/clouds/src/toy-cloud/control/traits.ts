import { CLOUD_TRAITS, type CloudTraits } from '@kopsctl/spec/cloud-traits.ts';

/** What everything that is not the toy cloud's own asks of it. */
export const TOY_TRAITS: CloudTraits = {
  ...CLOUD_TRAITS,
  hasCloudProvider: false,
  hasLoadBalancers: false,
  routesPods: 'machines',
};
